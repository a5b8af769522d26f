/** Status codes that this product gives (PS3.7 Annex C, PS3.4 B.2.3). */
export const Status = {
  Success: 0x0000,
  NotAuthorized: 0x0124,
  ProcessingFailure: 0x0110,
  NoSuchEventType: 0x0113,
  InvalidArgument: 0x0115,
  NoSuchAction: 0x0123,
  SopClassNotSupported: 0x0122,
  UnrecognizedOperation: 0x0211,
  OutOfResources: 0xa700,
  /** C-MOVE and C-GET: no object could be sent (PS3.4 C.4.2.1.5). */
  NothingSent: 0xa702,
  MoveDestinationUnknown: 0xa801,
  /** Of a query: it does not keep to its class. */
  DataSetDoesNotMatch: 0xa900,
  /** C-MOVE and C-GET: some objects were not sent. */
  NotAllSent: 0xb000,
  CannotUnderstand: 0xc000,
  Cancelled: 0xfe00,
  Pending: 0xff00,
  /** A match of a query of which not every key was looked at (PS3.4 C.4.1.1.4). */
  PendingKeysUnsupported: 0xff01,
} as const

type StatusKind = 'success' | 'warning' | 'pending' | 'failure'

/** Both values of pending are pending; Bxxx and 0001, 0107, 0116 warn (PS3.7 §C.4). */
export function kindOfStatus(status: number): StatusKind {
  if (status === Status.Success) return 'success'
  if (status === Status.Pending || status === Status.PendingKeysUnsupported) return 'pending'
  const isWarning = status >>> 12 === 0xb || status === 0x0001 || status === 0x0107 || status === 0x0116
  return isWarning ? 'warning' : 'failure'
}

/** A status as people write it, e.g. `A700`. */
export function formatStatus(status: number): string {
  return status.toString(16).toUpperCase().padStart(4, '0')
}
