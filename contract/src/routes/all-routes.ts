import * as dicomweb from './dicomweb.ts'
import * as others from './others.ts'
import * as attachments from './storage-attachments.ts'
import * as images from './storage-images.ts'
import * as acts from './storage-acts.ts'
import * as studies from './storage-studies.ts'
import * as uploads from './storage-uploads.ts'

/** Every declared route, by name, and by the part of the API that it belongs to. */
export const routesByArea = {
  Storage: { ...uploads, ...studies, ...images, ...attachments, ...acts },
  DICOMweb: dicomweb,
  'Bundle, channel and others': others,
} as const

export const routes = {
  ...routesByArea.Storage,
  ...routesByArea.DICOMweb,
  ...routesByArea['Bundle, channel and others'],
} as const
