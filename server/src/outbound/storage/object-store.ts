import type { FileSource } from '@hilum/dicom/render/file-source'

/** Where bytes lie: in an object, or in a part of one. */
export type ObjectPlace = { readonly object_key: string; readonly byte_offset: number; readonly length: number }

/** A file that is there for as long as it is used, with the bytes of a place in it. */
export type LentFile = { readonly path: string; readonly offset: number; readonly length: number }

/** An object, or a part of one, that is open for reading at positions. */
export type ObjectReader = FileSource

/** Bytes on their way into the store. Nothing counts as stored before the store's `finish`. */
export type ObjectWriter = {
  readonly key: string
  write: (chunks: readonly Uint8Array[]) => Promise<void>
  /** No more bytes come: begins what `finish` waits for. The bytes can be read once this resolves. */
  end: () => Promise<void>
  /** Closes and deletes what was written. */
  discard: () => Promise<void>
}

/**
 * Objects: bytes that are written once, under a name that nobody had before, and never changed. No reader knows where
 * the store has them: bytes are read by their position, or by a file that is lent for the time of its use.
 * Reading throws a StoreError.
 */
export type ObjectStore = {
  /** @throws the system's error where no object could be begun */
  assertWritable: () => Promise<void>
  /** Begins an object in a folder like `account/namespace/study`; its name sorts by arrival. */
  begin: (folder: string) => Promise<ObjectWriter>
  /**
   * Begins an object under the name that an export gives it; an object of that name is overwritten. Good only where
   * nothing refers to the object yet.
   */
  restore: (key: string) => Promise<ObjectWriter>
  /** The end of writing: when it resolves, the objects outlast a loss of power. @throws when one of them does not */
  finish: (writers: readonly ObjectWriter[]) => Promise<void>
  /** `length` bytes from `offset`, one chunk in memory at a time. @throws when the object ends before */
  stream: (key: string, offset: number, length: number) => AsyncGenerator<Buffer>
  /** Up to `length` bytes from `offset`; fewer at the end of the object. */
  read: (key: string, offset: number, length: number) => Promise<Buffer>
  /** For many reads at positions; closes with `await using`. */
  open: (place: ObjectPlace) => Promise<ObjectReader>
  /** Lends a file to readers that take nothing else: other threads and libraries. The path is good until `use` settles. */
  useFile: <T>(place: ObjectPlace, use: (file: LentFile) => Promise<T>) => Promise<T>
  size: (key: string) => Promise<number>
  remove: (key: string) => Promise<void>
  /**
   * Deletes objects begun before `before` that nothing refers to, and gives their keys; with `next` when it stopped before
   * the end, behind the object of that key.
   */
  sweep: (before: Date, findReferenced: FindReferenced, part?: SweepPart) => Promise<{ swept: string[]; next?: string }>
}

export type FindReferenced = (keys: readonly string[]) => Promise<ReadonlySet<string>>
export type SweepPart = {
  /** A key: what sorts behind it is looked at. */
  after?: string
  /** How many objects are looked at. */
  most?: number
}
