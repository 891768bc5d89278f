/**
 * Shows the button that copies the reference. If the browser refuses to copy, the text is selected.
 * @param copied message after a copy
 * @param selected message if the text is only selected
 */
export default function copyReference(copied: string, selected: string): void {
  const button = document.getElementById('copy')
  const text = document.getElementById('quoted')
  const status = document.getElementById('copied')
  if (!button || !text || !status) return
  button.hidden = false
  button.addEventListener('click', () => {
    const say = (words: string): void => {
      status.textContent = words
    }
    getSelection()?.selectAllChildren(text)
    const clipboard = navigator.clipboard as Clipboard | undefined
    if (clipboard === undefined) say(selected)
    else
      clipboard.writeText(text.textContent).then(
        () => say(copied),
        () => say(selected),
      )
  })
}
