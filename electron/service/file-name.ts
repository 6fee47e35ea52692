/** `<hostname>-<YYYYMMDD-HHMMSS>.sandpiper`, in local time; characters that some file systems refuse become `_`. */
export function defaultFileName(seed: string, now: Date): string {
  return `${new URL(seed).hostname.replace(/[^A-Za-z0-9.-]/g, '_')}-${timeStamp(now)}.sandpiper`
}

export function timeStamp(now: Date): string {
  const two = (value: number): string => String(value).padStart(2, '0')
  const date = `${now.getFullYear()}${two(now.getMonth() + 1)}${two(now.getDate())}`
  return `${date}-${two(now.getHours())}${two(now.getMinutes())}${two(now.getSeconds())}`
}
