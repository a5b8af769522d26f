/** Whatever takes Escape before the viewer does: menus, dialogs, lists and fields of OHIF. */
const TAKES_ESCAPE =
  '[role=dialog], [role=alertdialog], [role=menu], [role=listbox], [data-radix-popper-content-wrapper], input:focus, textarea:focus, select:focus'

type Tools = { cancelActiveManipulations: (element: HTMLElement) => string | undefined }

/** Escape ends a half-drawn measurement, then whatever is open in OHIF, and closes the viewer where there is neither. */
export function listenForEscape(handleClose: () => void): void {
  window.addEventListener(
    'keydown',
    (event) => {
      if (event.key !== 'Escape' || document.querySelector(TAKES_ESCAPE)) return
      event.preventDefault()
      event.stopImmediatePropagation()
      if (!endDrawing()) handleClose()
    },
    { capture: true },
  )
}

/** @returns whether something was being drawn */
function endDrawing(): boolean {
  const tools = (window as { cornerstoneTools?: Tools }).cornerstoneTools
  const places = [...document.querySelectorAll<HTMLElement>('[data-viewport-uid]')]
  return places.map((place) => tools?.cancelActiveManipulations(place) !== undefined).some(Boolean)
}
