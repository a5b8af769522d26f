import type { RenderFault } from './render-error.ts'
import type { RenderJob, RenderResult } from './render-job.ts'

/** Messages between the pool and its workers. */
export interface JobMessage {
  readonly number: number
  readonly job: RenderJob
}

export type ReplyMessage =
  | { readonly number: number; readonly result: RenderResult }
  | { readonly number: number; readonly fault: RenderFault | undefined; readonly message: string }
