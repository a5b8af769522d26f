/** Kinds of instances, as far as showing and filing them is concerned. */
export type SopClassKind =
  | 'image'
  | 'video'
  | 'report'
  | 'key-object'
  | 'presentation'
  | 'document'
  | 'waveform'
  | 'radiotherapy'
  | 'segmentation'
  | 'registration'
  | 'spectroscopy'
  | 'raw'
  | 'other'

type SopClass = { uid: string; name: string; kind: SopClassKind; directoryRecordType: string }

export const MediaStorageDirectory = '1.2.840.10008.1.3.10'
const storage = '1.2.840.10008.5.1.4.1.1.'

// Rows: UID behind 1.2.840.10008.5.1.4.1.1., name, kind, record type in a DICOMDIR where the kind does not settle it.
// Sources: PS3.4 B.5, PS3.3 F.5.
const rows: [suffix: string, name: string, kind: SopClassKind, recordType?: string][] = [
  ['1', 'Computed Radiography', 'image'],
  ['1.1', 'Digital X-Ray, for presentation', 'image'],
  ['1.1.1', 'Digital X-Ray, for processing', 'image'],
  ['1.2', 'Digital Mammography, for presentation', 'image'],
  ['1.2.1', 'Digital Mammography, for processing', 'image'],
  ['1.3', 'Digital Intra-Oral X-Ray, for presentation', 'image'],
  ['1.3.1', 'Digital Intra-Oral X-Ray, for processing', 'image'],
  ['2', 'CT', 'image'],
  ['2.1', 'Enhanced CT', 'image'],
  ['2.2', 'Legacy Converted Enhanced CT', 'image'],
  ['3', 'Ultrasound Multi-frame (retired)', 'image'],
  ['3.1', 'Ultrasound Multi-frame', 'image'],
  ['4', 'MR', 'image'],
  ['4.1', 'Enhanced MR', 'image'],
  ['4.2', 'MR Spectroscopy', 'spectroscopy', 'SPECTROSCOPY'],
  ['4.3', 'Enhanced MR Color', 'image'],
  ['4.4', 'Legacy Converted Enhanced MR', 'image'],
  ['5', 'Nuclear Medicine (retired)', 'image'],
  ['6', 'Ultrasound (retired)', 'image'],
  ['6.1', 'Ultrasound', 'image'],
  ['6.2', 'Enhanced Ultrasound Volume', 'image'],
  ['6.3', 'Photoacoustic', 'image'],
  ['7', 'Secondary Capture', 'image'],
  ['7.1', 'Multi-frame Single Bit Secondary Capture', 'image'],
  ['7.2', 'Multi-frame Grayscale Byte Secondary Capture', 'image'],
  ['7.3', 'Multi-frame Grayscale Word Secondary Capture', 'image'],
  ['7.4', 'Multi-frame True Color Secondary Capture', 'image'],
  ['9.1.1', '12-lead ECG', 'waveform'],
  ['9.1.2', 'General ECG', 'waveform'],
  ['9.1.3', 'Ambulatory ECG', 'waveform'],
  ['9.1.4', 'General 32-bit ECG', 'waveform'],
  ['9.2.1', 'Hemodynamic Waveform', 'waveform'],
  ['9.3.1', 'Cardiac Electrophysiology Waveform', 'waveform'],
  ['9.4.1', 'Basic Voice Audio', 'waveform'],
  ['9.4.2', 'General Audio', 'waveform'],
  ['9.5.1', 'Arterial Pulse Waveform', 'waveform'],
  ['9.6.1', 'Respiratory Waveform', 'waveform'],
  ['9.6.2', 'Multi-channel Respiratory Waveform', 'waveform'],
  ['9.7.1', 'Routine Scalp EEG', 'waveform'],
  ['11.1', 'Grayscale Softcopy Presentation State', 'presentation'],
  ['11.2', 'Color Softcopy Presentation State', 'presentation'],
  ['11.3', 'Pseudo-Color Softcopy Presentation State', 'presentation'],
  ['11.4', 'Blending Softcopy Presentation State', 'presentation'],
  ['11.5', 'XA/XRF Grayscale Softcopy Presentation State', 'presentation'],
  ['11.6', 'Grayscale Planar MPR Volumetric Presentation State', 'presentation'],
  ['11.7', 'Compositing Planar MPR Volumetric Presentation State', 'presentation'],
  ['11.8', 'Advanced Blending Presentation State', 'presentation'],
  ['11.9', 'Volume Rendering Volumetric Presentation State', 'presentation'],
  ['11.12', 'Variable Modality LUT Softcopy Presentation State', 'presentation'],
  ['12.1', 'X-Ray Angiography', 'image'],
  ['12.1.1', 'Enhanced X-Ray Angiography', 'image'],
  ['12.2', 'X-Ray Radiofluoroscopy', 'image'],
  ['12.2.1', 'Enhanced X-Ray Radiofluoroscopy', 'image'],
  ['13.1.1', 'X-Ray 3D Angiography', 'image'],
  ['13.1.2', 'X-Ray 3D Craniofacial', 'image'],
  ['13.1.3', 'Breast Tomosynthesis', 'image'],
  ['13.1.4', 'Breast Projection X-Ray, for presentation', 'image'],
  ['13.1.5', 'Breast Projection X-Ray, for processing', 'image'],
  ['14.1', 'Intravascular OCT, for presentation', 'image'],
  ['14.2', 'Intravascular OCT, for processing', 'image'],
  ['20', 'Nuclear Medicine', 'image'],
  ['30', 'Parametric Map', 'image'],
  ['66', 'Raw Data', 'raw', 'RAW DATA'],
  ['66.1', 'Spatial Registration', 'registration', 'REGISTRATION'],
  ['66.2', 'Spatial Fiducials', 'registration', 'FIDUCIAL'],
  ['66.3', 'Deformable Spatial Registration', 'registration', 'REGISTRATION'],
  ['66.4', 'Segmentation', 'segmentation', 'IMAGE'],
  ['66.5', 'Surface Segmentation', 'segmentation', 'SURFACE'],
  ['66.6', 'Tractography Results', 'other', 'TRACT'],
  ['66.7', 'Label Map Segmentation', 'segmentation', 'IMAGE'],
  ['67', 'Real World Value Mapping', 'other', 'VALUE MAP'],
  ['68.1', 'Surface Scan Mesh', 'other', 'SURFACE SCAN'],
  ['68.2', 'Surface Scan Point Cloud', 'other', 'SURFACE SCAN'],
  ['77.1.1', 'VL Endoscopic', 'image'],
  ['77.1.1.1', 'Video Endoscopic', 'video'],
  ['77.1.2', 'VL Microscopic', 'image'],
  ['77.1.2.1', 'Video Microscopic', 'video'],
  ['77.1.3', 'VL Slide-Coordinates Microscopic', 'image'],
  ['77.1.4', 'VL Photographic', 'image'],
  ['77.1.4.1', 'Video Photographic', 'video'],
  ['77.1.5.1', 'Ophthalmic Photography 8 Bit', 'image'],
  ['77.1.5.2', 'Ophthalmic Photography 16 Bit', 'image'],
  ['77.1.5.3', 'Stereometric Relationship', 'other', 'STEREOMETRIC'],
  ['77.1.5.4', 'Ophthalmic Tomography', 'image'],
  ['77.1.5.5', 'Wide Field Ophthalmic Photography Stereographic', 'image'],
  ['77.1.5.6', 'Wide Field Ophthalmic Photography 3D', 'image'],
  ['77.1.5.7', 'Ophthalmic OCT En Face', 'image'],
  ['77.1.6', 'VL Whole Slide Microscopy', 'image'],
  ['77.1.7', 'Dermoscopic Photography', 'image'],
  ['78.1', 'Lensometry Measurements', 'other', 'MEASUREMENT'],
  ['78.2', 'Autorefraction Measurements', 'other', 'MEASUREMENT'],
  ['78.3', 'Keratometry Measurements', 'other', 'MEASUREMENT'],
  ['78.7', 'Ophthalmic Axial Measurements', 'other', 'MEASUREMENT'],
  ['80.1', 'Ophthalmic Visual Field Measurements', 'other', 'MEASUREMENT'],
  ['81.1', 'Ophthalmic Thickness Map', 'image'],
  ['82.1', 'Corneal Topography Map', 'image'],
  ['88.11', 'Basic Text SR', 'report'],
  ['88.22', 'Enhanced SR', 'report'],
  ['88.33', 'Comprehensive SR', 'report'],
  ['88.34', 'Comprehensive 3D SR', 'report'],
  ['88.35', 'Extensible SR', 'report'],
  ['88.40', 'Procedure Log', 'report'],
  ['88.50', 'Mammography CAD SR', 'report'],
  ['88.59', 'Key Object Selection', 'key-object'],
  ['88.65', 'Chest CAD SR', 'report'],
  ['88.67', 'X-Ray Radiation Dose SR', 'report'],
  ['88.68', 'Radiopharmaceutical Radiation Dose SR', 'report'],
  ['88.69', 'Colon CAD SR', 'report'],
  ['88.70', 'Implantation Plan SR', 'report'],
  ['88.71', 'Acquisition Context SR', 'report'],
  ['88.72', 'Simplified Adult Echo SR', 'report'],
  ['88.73', 'Patient Radiation Dose SR', 'report'],
  ['88.74', 'Planned Imaging Agent Administration SR', 'report'],
  ['88.75', 'Performed Imaging Agent Administration SR', 'report'],
  ['90.1', 'Content Assessment Results', 'other', 'ASSESSMENT'],
  ['91.1', 'Microscopy Bulk Simple Annotations', 'other', 'ANNOTATION'],
  ['104.1', 'Encapsulated PDF', 'document'],
  ['104.2', 'Encapsulated CDA', 'document'],
  ['104.3', 'Encapsulated STL', 'document'],
  ['104.4', 'Encapsulated OBJ', 'document'],
  ['104.5', 'Encapsulated MTL', 'document'],
  ['128', 'PET', 'image'],
  ['128.1', 'Legacy Converted Enhanced PET', 'image'],
  ['130', 'Enhanced PET', 'image'],
  ['131', 'Basic Structured Display', 'presentation'],
  ['200.2', 'CT Performed Procedure Protocol', 'other'],
  ['481.1', 'RT Image', 'image'],
  ['481.2', 'RT Dose', 'radiotherapy', 'RT DOSE'],
  ['481.3', 'RT Structure Set', 'radiotherapy', 'RT STRUCTURE SET'],
  ['481.4', 'RT Beams Treatment Record', 'radiotherapy', 'RT TREAT RECORD'],
  ['481.5', 'RT Plan', 'radiotherapy', 'RT PLAN'],
  ['481.6', 'RT Brachy Treatment Record', 'radiotherapy', 'RT TREAT RECORD'],
  ['481.7', 'RT Treatment Summary Record', 'radiotherapy', 'RT TREAT RECORD'],
  ['481.8', 'RT Ion Plan', 'radiotherapy', 'RT PLAN'],
  ['481.9', 'RT Ion Beams Treatment Record', 'radiotherapy', 'RT TREAT RECORD'],
]

const recordTypeByKind: Record<SopClassKind, string> = {
  image: 'IMAGE',
  video: 'IMAGE',
  report: 'SR DOCUMENT',
  'key-object': 'KEY OBJECT DOC',
  presentation: 'PRESENTATION',
  document: 'ENCAP DOC',
  waveform: 'WAVEFORM',
  radiotherapy: 'RADIOTHERAPY',
  segmentation: 'IMAGE',
  registration: 'REGISTRATION',
  spectroscopy: 'SPECTROSCOPY',
  raw: 'RAW DATA',
  other: 'PRIVATE',
}

const known = new Map(
  rows.map(([suffix, name, kind, recordType]) => {
    const uid = storage + suffix
    return [uid, { uid, name, kind, directoryRecordType: recordType ?? recordTypeByKind[kind] }]
  }),
)

/** Every storage class of the standard that is known here, by UID. */
export const storageClasses: readonly string[] = [...known.keys()].filter((uid) => uid.startsWith(storage))

/**
 * Name and kind of a SOP class. An unknown class under the branches of reports, waveforms or presentation
 * states is one of those; any other is "other", filed as a private record in a DICOMDIR.
 */
export function sopClassOf(uid: string): SopClass {
  const found = known.get(uid)
  if (found) return found
  const kind = guessKind(uid)
  return { uid, name: 'Unknown SOP class', kind, directoryRecordType: recordTypeByKind[kind] }
}

function guessKind(uid: string): SopClassKind {
  if (uid.startsWith(`${storage}88.`)) return 'report'
  if (uid.startsWith(`${storage}9.`)) return 'waveform'
  if (uid.startsWith(`${storage}11.`)) return 'presentation'
  if (uid.startsWith(`${storage}104.`)) return 'document'
  if (uid.startsWith(`${storage}481.`)) return 'radiotherapy'
  return 'other'
}
