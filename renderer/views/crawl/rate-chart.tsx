const WIDTH = 120
const HEIGHT = 20

/** Pages a second over the last minute, as bars; the number beside it says the same. */
export function RateChart({ bars }: { bars: readonly number[] }) {
  const most = Math.max(1, ...bars)
  const step = WIDTH / bars.length
  return (
    <svg className="rate-chart" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true">
      {bars.map((bar, index) => {
        const height = Math.max(1, (bar / most) * HEIGHT)
        const x = index * step
        return <rect key={x} x={x} y={HEIGHT - height} width={step - 1} height={height} />
      })}
    </svg>
  )
}
