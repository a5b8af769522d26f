/** What the wizard needs of one DICOM instance. Texts are decoded; dates are `YYYYMMDD`, names `LAST^FIRST`, '' when absent. */
export interface InstanceHeader {
  studyUid: string
  seriesUid: string
  sopUid: string
  patientName: string
  patientId: string
  issuerOfPatientId: string
  birthDate: string
  sex: string
  studyDate: string
  studyTime: string
  studyDescription: string
  accessionNumber: string
  referringPhysician: string
  modality: string
  seriesDescription: string
  seriesNumber: string
}
