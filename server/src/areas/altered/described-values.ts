import type { ElementEdit } from '@hilum/dicom/splice'
import { Tag } from '@hilum/dicom/tags'

/**
 * Top-level attributes that say more of the value of another one, and are untrue of a new value there: whose MRN or
 * accession number it was, the other numbers of that person, and the order that the accession number stood for.
 */
const described = new Map<number, readonly number[]>([
  [Tag.PatientID, [Tag.OtherPatientIDs, Tag.OtherPatientIDsSequence]],
  [Tag.IssuerOfPatientID, [Tag.IssuerOfPatientIDQualifiersSequence]],
  [
    Tag.AccessionNumber,
    [
      Tag.IssuerOfAccessionNumberSequence,
      Tag.RequestAttributesSequence,
      Tag.ReferencedRequestSequence,
      Tag.PlacerOrderNumberImagingServiceRequest,
      Tag.FillerOrderNumberImagingServiceRequest,
    ],
  ],
])

/** The same edit, which takes along the attributes that describe the value it replaces. */
export function withDescribed(edit: ElementEdit): ElementEdit {
  const drops = described.get(edit.tag)
  return drops ? { ...edit, drops } : edit
}
