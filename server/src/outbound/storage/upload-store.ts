/** A file that lies on this machine until its work is done. */
export type StagedFile = { readonly path: string; readonly length: number; discard: () => Promise<void> }

export type UploadPart = { readonly name: string; readonly length: number }

/** Length and CRC-32 of bytes that were written. */
export type WrittenBytes = { readonly length: number; readonly crc32: number }

/**
 * Bytes of files in the making: parts of uploads, which every process over the same store sees, and files on their way
 * into a wrapper, which their own process alone does. Nothing here belongs to a record yet.
 * Writing throws the system's errors, and those of the body and of `accept` as they are.
 */
export type UploadStore = {
  /** Begins an upload in parts. @returns its name, a UUID */
  begin: (owner: string) => Promise<string>
  /** Undefined where there is no such upload. */
  findOwner: (upload: string) => Promise<string | undefined>
  /**
   * Stores one part once `accept` did not throw; a part of that name before it is replaced then, and not earlier.
   * @param name five digits
   */
  writePart: (
    upload: string,
    name: string,
    body: AsyncIterable<Uint8Array>,
    accept: (written: WrittenBytes) => void,
  ) => Promise<void>
  /** Parts in the order of their names. */
  listParts: (upload: string) => Promise<UploadPart[]>
  readPart: (upload: string, name: string) => AsyncGenerator<Uint8Array>
  remove: (upload: string) => Promise<void>
  /** Writes a body to a file of its own; nothing stays where the body fails. */
  stage: (body: AsyncIterable<Uint8Array>) => Promise<StagedFile>
  /** Removes uploads and staged files begun before a moment. @returns how many */
  sweep: (before: Date) => Promise<number>
}
