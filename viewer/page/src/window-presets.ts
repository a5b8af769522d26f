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

/** The windows the images bring along come first; only CT has values that mean the same everywhere. */
export function listWindowPresets(
  modality: string,
  stored: readonly { center: number; width: number }[],
): ViewerWindowPreset[] {
  const own = stored.map((window, at) => ({
    ...window,
    label: stored.length === 1 ? 'As stored' : `As stored ${at + 1}`,
  }))
  const first = own.length === 0 ? [{ label: 'Whole range', center: Number.NaN, width: Number.NaN }] : own
  return modality === 'CT' ? [...first, ...CT_PRESETS] : first
}

export function presentWindow(preset: ViewerWindowPreset): string {
  return Number.isNaN(preset.width)
    ? preset.label
    : `${preset.label} (${texts.windowValues(preset.center, preset.width)})`
}
