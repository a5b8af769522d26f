/** For so long a browser may still read the address of a file that it saves. */
export const readableMs = 60_000

/** Gives a text, or bytes, to the browser as a file to save. */
export function saveFile(name: string, content: BlobPart, type = 'text/csv;charset=utf-8'): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([content], { type }))
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), readableMs)
}
