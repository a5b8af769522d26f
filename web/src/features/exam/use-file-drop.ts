import { type DragEvent, useState } from 'react'

/**
 * Handlers of an element that takes files dropped anywhere on it, unless an element inside it took them; a drop of texts
 * and links is left to the browser.
 */
export function useFileDrop(isOn: boolean, onFiles: (files: readonly File[]) => void) {
  const [isOver, setIsOver] = useState(false)
  const isOfFiles = (event: DragEvent) => isOn && event.dataTransfer.types.includes('Files')
  return {
    isOver,
    onDragOver: (event: DragEvent) => {
      if (!isOfFiles(event)) return
      event.preventDefault()
      setIsOver(true)
    },
    onDragLeave: ({ currentTarget, relatedTarget }: DragEvent) => {
      // Also told when the pointer goes from the element to one inside it.
      if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) setIsOver(false)
    },
    onDrop: (event: DragEvent) => {
      if (!isOfFiles(event)) return
      const wasTaken = event.isDefaultPrevented()
      event.preventDefault()
      setIsOver(false)
      if (wasTaken) return
      onFiles([...event.dataTransfer.files])
    },
  }
}
