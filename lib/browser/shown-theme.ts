/** The theme that the user sees: the page's, and where that follows the device, the device's. */
export function shownTheme(page: Pick<Window, 'document' | 'matchMedia'>): 'light' | 'dark' {
  const { theme } = page.document.documentElement.dataset
  if (theme === 'light' || theme === 'dark') return theme
  return page.matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
}
