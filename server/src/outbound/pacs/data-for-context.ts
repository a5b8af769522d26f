import { pipeline } from 'node:stream'
import { createInflateRaw } from 'node:zlib'
import type { Association, Context } from '@hilum/dicom/dimse/association'
import { DimseError } from '@hilum/dicom/dimse/dimse-error'
import { dataSetOfFile } from '@hilum/dicom/recode/data-set-of-file'
import { withNamedUids } from '@hilum/dicom/recode/named-uids'
import { toImplicit } from '@hilum/dicom/recode/to-implicit'
import type { RenderPool } from '@hilum/dicom/render/pool'
import { ExplicitLittleEndian, ImplicitLittleEndian, transferSyntaxOf } from '@hilum/dicom/transfer-syntaxes'
import { decodeObject } from './decode-object.ts'
import type { OutgoingInstance } from './outgoing-instance.ts'

/** How an instance goes over an association: in which context, and its data set in that context's syntax. */
export interface Passage {
  context: Context
  data: AsyncIterable<Uint8Array>
  isTranscoded: boolean
}

/**
 * The stored syntax where the peer takes it; else explicit or implicit little endian, into which the data set is then
 * brought on its way.
 * @throws DimseError not-accepted
 */
export function findPassage(association: Association, instance: OutgoingInstance, render: RenderPool): Passage {
  const { sopClass, transferSyntax } = instance
  const contexts = [...association.contexts.values()].filter((one) => one.abstractSyntax === sopClass)
  const same = contexts.find((one) => one.transferSyntax === transferSyntax)
  if (same) return { context: same, data: storedDataSet(instance), isTranscoded: false }
  const plain = contexts.find((one) => one.transferSyntax === ExplicitLittleEndian)
  const context = plain ?? contexts.find((one) => one.transferSyntax === ImplicitLittleEndian)
  if (!context)
    throw new DimseError(
      'not-accepted',
      contexts.length > 0 ? describeRefusal(transferSyntax) : 'The peer does not take this kind of object',
    )
  const explicit = asExplicit(instance, render)
  if (!explicit) throw new DimseError('not-accepted', describeRefusal(transferSyntax))
  return { context, data: plain ? explicit : toImplicit(explicit), isTranscoded: true }
}

/** Whether an instance goes over an association in its stored syntax. */
export function goesAsStored({ contexts }: Association, { sopClass, transferSyntax }: OutgoingInstance): boolean {
  return contexts.values().some((one) => one.abstractSyntax === sopClass && one.transferSyntax === transferSyntax)
}

/** The data set as Explicit VR Little Endian; undefined when it cannot be brought there. */
function asExplicit(instance: OutgoingInstance, render: RenderPool): AsyncIterable<Uint8Array> | undefined {
  const { isEncapsulated, isDeflated, isExplicit, isLittleEndian } = transferSyntaxOf(instance.transferSyntax)
  if (isEncapsulated) return withNamedUids(decodeObject(instance, render), transferSyntaxOf(ExplicitLittleEndian))
  if (!isExplicit || !isLittleEndian) return undefined
  const stored = dataSetOfFile(instance.open())
  return withNamedUids(isDeflated ? inflated(stored) : stored, transferSyntaxOf(ExplicitLittleEndian))
}

/** Byte for byte, but for UIDs that a peer could not find. */
function storedDataSet(instance: OutgoingInstance): AsyncIterable<Uint8Array> {
  const syntax = transferSyntaxOf(instance.transferSyntax)
  const stored = dataSetOfFile(instance.open())
  return syntax.isExplicit && !syntax.isDeflated ? withNamedUids(stored, syntax) : stored
}

function inflated(dataSet: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  // faults are thrown to the reader of the result
  return pipeline(dataSet, createInflateRaw(), () => undefined)
}

/** Why an object cannot go to a peer that refuses its syntax, in words. */
export function describeRefusal(transferSyntax: string): string {
  return `The peer does not take ${transferSyntaxOf(transferSyntax).name}, and the image cannot be sent in another syntax`
}
