import { z } from 'zod'

/** Where the window was when it was closed. */
const bounds = z.strictObject({ x: z.int(), y: z.int(), width: z.int(), height: z.int() })
export type Bounds = z.infer<typeof bounds>

export const MIN_WIDTH = 800
export const MIN_HEIGHT = 500
const DEFAULT = { width: 1280, height: 800 }
/** So much of the title bar must be on a screen for the window to be dragged. */
const GRIP = 100

/** @param saved as it was found @param screens work areas, in the same coordinates */
export function restoredBounds(saved: unknown, screens: readonly Bounds[]): Partial<Bounds> {
  const { success, data } = bounds.safeParse(saved)
  if (!success) return DEFAULT
  const size = { width: Math.max(MIN_WIDTH, data.width), height: Math.max(MIN_HEIGHT, data.height) }
  const isReachable = screens.some(
    ({ x, y, width, height }) =>
      data.x + size.width - GRIP > x && data.x + GRIP < x + width && data.y >= y && data.y + GRIP < y + height,
  )
  return isReachable ? { x: data.x, y: data.y, ...size } : DEFAULT
}
