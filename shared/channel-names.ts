/** What passes between the windows and the main process; kept apart from the contract so that preload stays tiny. */
export const CHANNEL = {
  invoke: 'sandpiper:invoke',
  subscribe: 'sandpiper:subscribe',
  event: 'sandpiper:event',
  windowCommand: 'sandpiper:window-command',
} as const
