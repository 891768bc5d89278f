/** True if a header such as `Accept` or `Accept-Encoding` names this; `q=0` means that the client does not take it. */
export function accepts(header: string | string[] | null | undefined, wanted: string): boolean {
  return String(header ?? '')
    .toLowerCase()
    .split(',')
    .some((one) => {
      const [name, ...parameters] = one.split(';').map((part) => part.trim())
      return name === wanted && !parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter))
    })
}
