import { useTranslation } from 'react-i18next'
import type { LinkRow } from '../../../shared/url-details.ts'
import { usePolled } from '../../state/use-polled.ts'

const SHOWN = 1_000

interface DetailsLinksProps {
  id: string
  urlId: number
  direction: 'in' | 'out'
  goTo: (id: number) => Promise<void>
}

/** The links of a page, or those that lead to it: the latter are found by reading all links, which takes a while. */
export function DetailsLinks({ id, urlId, direction, goTo }: DetailsLinksProps) {
  const { t } = useTranslation('crawl')
  const links = usePolled('url.links', { id, urlId, direction, limit: SHOWN }, () => null)
  if (links === null) return <p className="dim">{t('links.searching')}</p>
  if (links.rows.length === 0) return <p className="dim">{t(`links.none.${direction}`)}</p>
  return (
    <>
      {!links.complete && <p className="dim">{t('links.first', { count: SHOWN })}</p>}
      <table className="plain-table wide">
        <thead>
          <tr>
            <th scope="col">{t(`links.${direction}`)}</th>
            <th scope="col">{t('links.text')}</th>
            <th scope="col">{t('links.kind')}</th>
            <th scope="col">{t('links.rel')}</th>
            <th scope="col" className="number">
              {t('column.status')}
            </th>
          </tr>
        </thead>
        <tbody>
          {links.rows.map((link, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the same link may stand on a page twice
            <LinkLine key={index} link={link} goTo={goTo} />
          ))}
        </tbody>
      </table>
    </>
  )
}

function LinkLine({ link, goTo }: { link: LinkRow; goTo: (id: number) => Promise<void> }) {
  const { id } = link
  return (
    <tr>
      <td>
        {id === null ? (
          link.url
        ) : (
          <button type="button" className="link-button" onClick={() => void goTo(id)}>
            {link.url}
          </button>
        )}
      </td>
      <td>{link.text}</td>
      <td className="nowrap">{link.kind}</td>
      <td className="nowrap">{link.rel}</td>
      <td className="number">{link.status}</td>
    </tr>
  )
}
