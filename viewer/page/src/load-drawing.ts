import type { StudySource } from './dicomweb.ts'

export type Drawing = typeof import('./cornerstone.ts') &
  typeof import('./stack-view.ts') &
  typeof import('./measured-lengths.ts')

/** The drawing code (1 MB), started for the images of a study. */
export async function loadDrawing(source: StudySource): Promise<Drawing> {
  const [cornerstone, stackView, lengths] = await Promise.all([
    import('./cornerstone.ts'),
    import('./stack-view.ts'),
    import('./measured-lengths.ts'),
  ])
  await cornerstone.startCornerstone()
  cornerstone.askForImagesOf(source)
  return { ...cornerstone, ...stackView, ...lengths }
}
