import { StorageError } from '@hilum/contract/storage-errors'

/** CONFLICT with the reason why something of an exam stays as it is. */
export function errorOfHold(hold: 'hold' | 'frozen'): StorageError {
  const reason = hold === 'hold' ? 'A legal hold keeps this study' : 'The study is frozen'
  return new StorageError('CONFLICT', reason, { reason: hold })
}
