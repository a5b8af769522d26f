import { texts } from './texts.ts'

export type ViewerWindowPreset = { label: string; center: number; width: number }

/** Usual CT windows in Hounsfield units. */
const CT_PRESETS: readonly ViewerWindowPreset[] = [
  { label: 'Soft tissue', center: 40, width: 400 },
  { label: 'Lung', center: -600, width: 1500 },
  { label: 'Bone', center: 480, width: 2500 },
  { label: 'Brain', center: 40, width: 80 },
  { label: 'Liver', center: 90, width: 150 },
  { label: 'Mediastinum', center: 40, width: 350 },
]

/**
 * The windows the images bring along come first; only CT has values that mean the same everywhere. No window stands there
 * twice: one that is usual too has both names.
 */
export function listWindowPresets(
  modality: string,
  stored: readonly { center: number; width: number }[],
): ViewerWindowPreset[] {
  const usual = modality === 'CT' ? CT_PRESETS : []
  const different = stored.filter((window, at) => stored.findIndex((one) => isSame(one, window)) === at)
  const own = different.map((window, at) => {
    const name = different.length === 1 ? 'As stored' : `As stored ${at + 1}`
    const other = usual.find((one) => isSame(one, window))
    return { center: window.center, width: window.width, label: other ? `${name}, ${other.label}` : name }
  })
  const first = own.length === 0 ? [{ label: 'Whole range', center: Number.NaN, width: Number.NaN }] : own
  return [...first, ...usual.filter((one) => !own.some((window) => isSame(one, window)))]
}

type Window = Pick<ViewerWindowPreset, 'center' | 'width'>

function isSame(one: Window, other: Window): boolean {
  return one.center === other.center && one.width === other.width
}

export function presentWindow(preset: ViewerWindowPreset): string {
  return Number.isNaN(preset.width)
    ? preset.label
    : `${preset.label} (${texts.windowValues(preset.center, preset.width)})`
}
