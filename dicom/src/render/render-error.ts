/**
 * Why there is no picture.
 * `noPicture`: the object holds none (reports, waveforms, video). `unsupported`: it holds one that we cannot decode.
 * `unreadable`: the file itself cannot be opened or read.
 * `damaged`: bytes contradict the header or end early. `tooLarge`: beyond a limit. The rest come from the pool.
 */
export type RenderFault =
  | 'unreadable'
  | 'notDicom'
  | 'noPicture'
  | 'noSuchFrame'
  | 'unsupported'
  | 'damaged'
  | 'tooLarge'
  | 'timedOut'
  | 'cancelled'
  | 'busy'
  | 'closed'
  | 'crashed'

/** A picture that could not be made; `message` is a sentence for a person and holds no patient data. */
export class RenderError extends Error {
  readonly fault: RenderFault

  constructor(fault: RenderFault, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'RenderError'
    this.fault = fault
  }
}
