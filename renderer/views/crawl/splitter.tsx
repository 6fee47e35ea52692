import { useTranslation } from 'react-i18next'

const STEP_PX = 24
const MIN_PX = 100

const clamp = (height: number): number => Math.round(Math.max(MIN_PX, Math.min(height, window.innerHeight * 0.7)))

/** Drags the upper edge of the pane below it; arrow keys do the same. */
export function Splitter({ height, onResize }: { height: number; onResize: (height: number) => void }) {
  const { t } = useTranslation('crawl')
  return (
    // biome-ignore lint/a11y/useSemanticElements: a separator that can be moved is no thematic break
    <div
      className="splitter"
      role="separator"
      aria-orientation="horizontal"
      aria-label={t('details.resize')}
      aria-valuenow={height}
      aria-valuemin={MIN_PX}
      aria-valuemax={clamp(Number.POSITIVE_INFINITY)}
      tabIndex={0}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={(event) => {
        if (event.currentTarget.hasPointerCapture(event.pointerId)) onResize(clamp(height - event.movementY))
      }}
      onKeyDown={(event) => {
        if (event.key === 'ArrowUp') onResize(clamp(height + STEP_PX))
        if (event.key === 'ArrowDown') onResize(clamp(height - STEP_PX))
      }}
    />
  )
}
