import { hasHiddenSign, replaceHiddenSigns } from '@hilum/contract/hidden-signs'

/** In the place of a sign that nobody would see. */
const mark = '▯'

/**
 * Shows a mark for each sign in the texts of the page that nobody would see or that would turn the writing round. Images
 * and other systems send such texts; they are stored and sent on as they came, and two that differ look different.
 * @returns ends it
 */
export function markHiddenSigns(page: Document): () => void {
  const look = (node: Node) => {
    if (node instanceof Text) return put(node)
    const texts = page.createTreeWalker(node, NodeFilter.SHOW_TEXT)
    for (let one = texts.nextNode(); one; one = texts.nextNode()) if (one instanceof Text) put(one)
  }
  const observer = new MutationObserver((changes) => {
    for (const { type, target, addedNodes } of changes) {
      if (type === 'characterData') look(target)
      else addedNodes.forEach(look)
    }
  })
  observer.observe(page.body, { childList: true, subtree: true, characterData: true })
  return () => observer.disconnect()
}

/** React writes a text anew where what it shows changes, and never reads one. */
function put(text: Text): void {
  if (hasHiddenSign(text.data)) text.data = replaceHiddenSigns(text.data, mark)
}
