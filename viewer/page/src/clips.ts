/** The frames of one object within a stack. */
export type Clip = { start: number; count: number }

/** Where an image is: its clip if it has one, else the whole stack as one clip. */
export function findClip(clips: readonly Clip[], index: number, total: number): Clip & { number: number } {
  const at = clips.findIndex((clip) => index >= clip.start && index < clip.start + clip.count)
  const clip = clips[at]
  return clip === undefined ? { start: 0, count: total, number: 1 } : { ...clip, number: at + 1 }
}

/** The first image of the clip `by` clips further; undefined when the stack has no clips to go by. */
export function findClipStart(clips: readonly Clip[], index: number, by: number): number | undefined {
  if (clips.length < 2) return undefined
  const at = clips.findIndex((clip) => index >= clip.start && index < clip.start + clip.count)
  return clips[Math.min(clips.length - 1, Math.max(0, at + by))]?.start
}
