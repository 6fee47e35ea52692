import { Button, TextInput } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type CrawlProfile, profileName } from '../../../shared/crawl-profile.ts'
import { PRESETS, presetSettings } from '../../../shared/presets.ts'
import { useApp } from '../../state/app-context.tsx'
import { useSetup } from '../../state/setup-store.ts'
import { optionsOf, type Settings } from './draft.ts'
import { FoldedSection } from './option-section.tsx'
import { presetOf } from './summary.ts'

/** Settings to take over as a whole: ready-made ones, and those the user saved. */
export function ProfileSection() {
  const { t } = useTranslation('setup')
  const { invoke, store } = useApp()
  const options = optionsOf(useSetup((state) => state.draft))
  const profiles = useSetup((state) => state.profiles)
  const replaced = useSetup((state) => state.replaced)
  const { use, undoUse, readProfiles } = useSetup.getState()

  async function refresh(): Promise<void> {
    const error = await readProfiles(invoke)
    if (error !== null) store.getState().tell({ ok: false, error })
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the view opens
  useEffect(() => void refresh(), [])

  async function remove(name: string): Promise<void> {
    store.getState().tell(await invoke('profile.delete', { name }))
    await refresh()
  }

  const preset = options === null ? null : presetOf(options)
  const profile = profiles?.find(({ settings }) => isSame(settings, options))
  const inUse = preset !== null ? t(`preset.${preset}`) : (profile?.name ?? t('summary.profiles.own'))
  const saved = t('summary.profiles.saved', { count: profiles?.length ?? 0 })
  return (
    <FoldedSection section="profiles" summary={`${inUse} · ${saved}`}>
      <div aria-live="polite">
        {replaced !== null && (
          <p className="profiles-used">
            {t('profiles.used', { name: replaced.by })}
            <Button variant="subtle" onClick={undoUse}>
              {t('profiles.undo')}
            </Button>
          </p>
        )}
      </div>
      <h3>{t('presets')}</h3>
      <ul className="profiles">
        {PRESETS.map((each) => (
          <li key={each}>
            <span className="profile-name">{t(`preset.${each}`)}</span>
            <span className="profile-text dim">{t(`preset.${each}.text`)}</span>
            <UseButton
              name={t(`preset.${each}`)}
              isUsed={each === preset}
              onUse={() => use(presetSettings(each), t(`preset.${each}`))}
            />
          </li>
        ))}
      </ul>
      <h3>{t('profiles')}</h3>
      {profiles?.length === 0 && <p className="dim">{t('profiles.none')}</p>}
      <ul className="profiles">
        {profiles?.map((each) => (
          <ProfileRow
            key={each.name}
            profile={each}
            isUsed={isSame(each.settings, options)}
            onUse={() => use(each.settings, each.name)}
            onDelete={() => void remove(each.name)}
          />
        ))}
      </ul>
      <SaveForm options={options} onSaved={refresh} />
    </FoldedSection>
  )
}

const isSame = (a: Settings, b: Settings | null): boolean => JSON.stringify(a) === JSON.stringify(b)

function UseButton({ name, isUsed, onUse }: { name: string; isUsed: boolean; onUse: () => void }) {
  const { t } = useTranslation('setup')
  if (isUsed) return <span className="profile-used dim">{t('profiles.inUse')}</span>
  return (
    <Button aria-label={t('profiles.use.label', { name })} onClick={onUse}>
      {t('profiles.use')}
    </Button>
  )
}

function ProfileRow({
  profile: { name },
  isUsed,
  onUse,
  onDelete,
}: {
  profile: CrawlProfile
  isUsed: boolean
  onUse: () => void
  onDelete: () => void
}) {
  const { t } = useTranslation('setup')
  const [deleting, setDeleting] = useState(false)
  return (
    <li>
      <span className="profile-name profile-own">{name}</span>
      {deleting ? (
        <>
          <Button className="danger" autoFocus onClick={onDelete}>
            {t('profiles.delete.confirm', { name })}
          </Button>
          <Button onClick={() => setDeleting(false)}>{t('profiles.keep')}</Button>
        </>
      ) : (
        <>
          <Button aria-label={t('profiles.delete.label', { name })} variant="subtle" onClick={() => setDeleting(true)}>
            {t('profiles.delete')}
          </Button>
          <UseButton name={name} isUsed={isUsed} onUse={onUse} />
        </>
      )}
    </li>
  )
}

function SaveForm({ options, onSaved }: { options: Settings | null; onSaved: () => Promise<void> }) {
  const { t } = useTranslation('setup')
  const { invoke, store } = useApp()
  const profiles = useSetup((state) => state.profiles)
  const [text, setText] = useState('')
  const name = profileName.safeParse(text)
  const exists = profiles?.some((each) => each.name.toLowerCase() === text.trim().toLowerCase()) ?? false

  async function save(): Promise<void> {
    if (!name.success || options === null) return
    const saved = store.getState().tell(await invoke('profile.save', { name: name.data, settings: options }))
    if (!saved) return
    setText('')
    await onSaved()
  }

  return (
    <div className="profile-save">
      <TextInput
        size="xs"
        label={t('profiles.saveAs')}
        description={t('profiles.saveAs.hint')}
        error={text !== '' && options === null ? t('profiles.wrong') : null}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        value={text}
        maxLength={80}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          // Enter saves here; it starts no crawl.
          if (event.key !== 'Enter' || event.ctrlKey || event.metaKey) return
          event.preventDefault()
          if (!event.nativeEvent.isComposing) void save()
        }}
        autoComplete="off"
      />
      <Button disabled={!name.success || options === null} onClick={() => void save()}>
        {t(exists ? 'profiles.replace' : 'profiles.save')}
      </Button>
    </div>
  )
}
