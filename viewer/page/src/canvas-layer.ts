export type ScreenPoint = readonly [x: number, y: number]

export type CanvasLayer = {
  clear: () => void
  /** @returns a clean canvas as large as the picture, to draw in its pixels */
  begin: (width: number, height: number) => CanvasRenderingContext2D | undefined
  finish: (hasAny: boolean) => void
  /** Lays the drawing over the picture, by where three corners of the picture are on the screen. */
  place: (origin: ScreenPoint, right: ScreenPoint, bottom: ScreenPoint) => void
  setOn: (isOn: boolean) => void
}

/** A drawing over the picture, in the picture's own pixels, that can be taken off. */
export function createCanvasLayer(host: HTMLElement): CanvasLayer {
  const canvas = document.createElement('canvas')
  canvas.className = 'overlays'
  canvas.setAttribute('aria-hidden', 'true')
  canvas.hidden = true
  host.append(canvas)
  let isOn = true
  let hasAny = false
  const settle = () => {
    canvas.hidden = !(isOn && hasAny)
  }
  return {
    clear: () => {
      hasAny = false
      settle()
    },
    begin: (width, height) => {
      canvas.width = width
      canvas.height = height
      return canvas.getContext('2d') ?? undefined
    },
    finish: (drawn) => {
      hasAny = drawn
      settle()
    },
    place: (origin, right, bottom) => {
      const across = [(right[0] - origin[0]) / canvas.width, (right[1] - origin[1]) / canvas.width]
      const down = [(bottom[0] - origin[0]) / canvas.height, (bottom[1] - origin[1]) / canvas.height]
      canvas.style.transform = `matrix(${[...across, ...down, ...origin].join(',')})`
    },
    setOn: (value) => {
      isOn = value
      settle()
    },
  }
}
