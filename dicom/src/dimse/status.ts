/** Status codes that this product gives (PS3.7 Annex C, PS3.4 B.2.3). */
export const Status = {
  Success: 0x0000,
  ProcessingFailure: 0x0110,
  SopClassNotSupported: 0x0122,
  UnrecognizedOperation: 0x0211,
  OutOfResources: 0xa700,
  DataSetDoesNotMatch: 0xa900,
  CannotUnderstand: 0xc000,
} as const

export type StatusKind = 'success' | 'warning' | 'pending' | 'failure'

/** Both values of pending are pending; Bxxx and 0001, 0107, 0116 warn (PS3.7 §C.4). */
export function kindOfStatus(status: number): StatusKind {
  if (status === Status.Success) return 'success'
  if (status === 0xff00 || status === 0xff01) return 'pending'
  const isWarning = status >>> 12 === 0xb || status === 0x0001 || status === 0x0107 || status === 0x0116
  return isWarning ? 'warning' : 'failure'
}

/** A status as people write it, e.g. `A700`. */
export function formatStatus(status: number): string {
  return status.toString(16).toUpperCase().padStart(4, '0')
}
