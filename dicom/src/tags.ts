/** The attributes this product reads or writes by name: keyword → [tag, VR]. The whole dictionary is in dictionary.ts. */
const attributes = {
  FileMetaInformationGroupLength: [0x00020000, 'UL'],
  FileMetaInformationVersion: [0x00020001, 'OB'],
  MediaStorageSOPClassUID: [0x00020002, 'UI'],
  MediaStorageSOPInstanceUID: [0x00020003, 'UI'],
  TransferSyntaxUID: [0x00020010, 'UI'],
  ImplementationClassUID: [0x00020012, 'UI'],
  ImplementationVersionName: [0x00020013, 'SH'],
  SourceApplicationEntityTitle: [0x00020016, 'AE'],
  FileSetID: [0x00041130, 'CS'],
  OffsetOfTheFirstDirectoryRecordOfTheRootDirectoryEntity: [0x00041200, 'UL'],
  OffsetOfTheLastDirectoryRecordOfTheRootDirectoryEntity: [0x00041202, 'UL'],
  FileSetConsistencyFlag: [0x00041212, 'US'],
  DirectoryRecordSequence: [0x00041220, 'SQ'],
  OffsetOfTheNextDirectoryRecord: [0x00041400, 'UL'],
  RecordInUseFlag: [0x00041410, 'US'],
  OffsetOfReferencedLowerLevelDirectoryEntity: [0x00041420, 'UL'],
  DirectoryRecordType: [0x00041430, 'CS'],
  PrivateRecordUID: [0x00041432, 'UI'],
  ReferencedFileID: [0x00041500, 'CS'],
  ReferencedSOPClassUIDInFile: [0x00041510, 'UI'],
  ReferencedSOPInstanceUIDInFile: [0x00041511, 'UI'],
  ReferencedTransferSyntaxUIDInFile: [0x00041512, 'UI'],
  SpecificCharacterSet: [0x00080005, 'CS'],
  ImageType: [0x00080008, 'CS'],
  SOPClassUID: [0x00080016, 'UI'],
  SOPInstanceUID: [0x00080018, 'UI'],
  StudyDate: [0x00080020, 'DA'],
  SeriesDate: [0x00080021, 'DA'],
  AcquisitionDate: [0x00080022, 'DA'],
  ContentDate: [0x00080023, 'DA'],
  StudyTime: [0x00080030, 'TM'],
  SeriesTime: [0x00080031, 'TM'],
  ContentTime: [0x00080033, 'TM'],
  AccessionNumber: [0x00080050, 'SH'],
  IssuerOfAccessionNumberSequence: [0x00080051, 'SQ'],
  QueryRetrieveLevel: [0x00080052, 'CS'],
  RetrieveAETitle: [0x00080054, 'AE'],
  Modality: [0x00080060, 'CS'],
  ModalitiesInStudy: [0x00080061, 'CS'],
  SOPClassesInStudy: [0x00080062, 'UI'],
  ConversionType: [0x00080064, 'CS'],
  Manufacturer: [0x00080070, 'LO'],
  InstitutionName: [0x00080080, 'LO'],
  ReferringPhysicianName: [0x00080090, 'PN'],
  CodeValue: [0x00080100, 'SH'],
  CodingSchemeDesignator: [0x00080102, 'SH'],
  CodeMeaning: [0x00080104, 'LO'],
  TimezoneOffsetFromUTC: [0x00080201, 'SH'],
  StationName: [0x00081010, 'SH'],
  StudyDescription: [0x00081030, 'LO'],
  SeriesDescription: [0x0008103e, 'LO'],
  InstitutionalDepartmentName: [0x00081040, 'LO'],
  ManufacturerModelName: [0x00081090, 'LO'],
  PatientName: [0x00100010, 'PN'],
  PatientID: [0x00100020, 'LO'],
  IssuerOfPatientID: [0x00100021, 'LO'],
  IssuerOfPatientIDQualifiersSequence: [0x00100024, 'SQ'],
  PatientBirthDate: [0x00100030, 'DA'],
  PatientSex: [0x00100040, 'CS'],
  OtherPatientIDs: [0x00101000, 'LO'],
  PatientAge: [0x00101010, 'AS'],
  PatientComments: [0x00104000, 'LT'],
  BodyPartExamined: [0x00180015, 'CS'],
  SliceThickness: [0x00180050, 'DS'],
  RepetitionTime: [0x00180080, 'DS'],
  EchoTime: [0x00180081, 'DS'],
  SpacingBetweenSlices: [0x00180088, 'DS'],
  ScanningSequence: [0x00180020, 'CS'],
  SequenceVariant: [0x00180021, 'CS'],
  ScanOptions: [0x00180022, 'CS'],
  MRAcquisitionType: [0x00180023, 'CS'],
  KVP: [0x00180060, 'DS'],
  EchoTrainLength: [0x00180091, 'IS'],
  ProtocolName: [0x00181030, 'LO'],
  FrameTime: [0x00181063, 'DS'],
  PatientPosition: [0x00185100, 'CS'],
  StudyInstanceUID: [0x0020000d, 'UI'],
  SeriesInstanceUID: [0x0020000e, 'UI'],
  StudyID: [0x00200010, 'SH'],
  SeriesNumber: [0x00200011, 'IS'],
  AcquisitionNumber: [0x00200012, 'IS'],
  InstanceNumber: [0x00200013, 'IS'],
  PatientOrientation: [0x00200020, 'CS'],
  ImagePositionPatient: [0x00200032, 'DS'],
  ImageOrientationPatient: [0x00200037, 'DS'],
  FrameOfReferenceUID: [0x00200052, 'UI'],
  Laterality: [0x00200060, 'CS'],
  PositionReferenceIndicator: [0x00201040, 'LO'],
  SliceLocation: [0x00201041, 'DS'],
  NumberOfStudyRelatedSeries: [0x00201206, 'IS'],
  NumberOfStudyRelatedInstances: [0x00201208, 'IS'],
  SamplesPerPixel: [0x00280002, 'US'],
  PhotometricInterpretation: [0x00280004, 'CS'],
  PlanarConfiguration: [0x00280006, 'US'],
  NumberOfFrames: [0x00280008, 'IS'],
  FrameIncrementPointer: [0x00280009, 'AT'],
  Rows: [0x00280010, 'US'],
  Columns: [0x00280011, 'US'],
  PixelSpacing: [0x00280030, 'DS'],
  BitsAllocated: [0x00280100, 'US'],
  BitsStored: [0x00280101, 'US'],
  HighBit: [0x00280102, 'US'],
  PixelRepresentation: [0x00280103, 'US'],
  BurnedInAnnotation: [0x00280301, 'CS'],
  WindowCenter: [0x00281050, 'DS'],
  WindowWidth: [0x00281051, 'DS'],
  RescaleIntercept: [0x00281052, 'DS'],
  RescaleSlope: [0x00281053, 'DS'],
  RescaleType: [0x00281054, 'LO'],
  LossyImageCompression: [0x00282110, 'CS'],
  UniversalEntityID: [0x00400032, 'UT'],
  CompletionFlag: [0x0040a491, 'CS'],
  VerificationFlag: [0x0040a493, 'CS'],
  ConceptNameCodeSequence: [0x0040a043, 'SQ'],
  EncapsulatedDocument: [0x00420011, 'OB'],
  MIMETypeOfEncapsulatedDocument: [0x00420012, 'LO'],
  ContentLabel: [0x00700080, 'CS'],
  PresentationCreationDate: [0x00700082, 'DA'],
  PresentationCreationTime: [0x00700083, 'TM'],
  ContentCreatorName: [0x00700084, 'PN'],
  ContentDescription: [0x00700081, 'LO'],
  OriginalAttributesSequence: [0x04000561, 'SQ'],
  ModifiedAttributesSequence: [0x04000550, 'SQ'],
  AttributeModificationDateTime: [0x04000562, 'DT'],
  ModifyingSystem: [0x04000563, 'LO'],
  SourceOfPreviousValues: [0x04000564, 'LO'],
  ReasonForTheAttributeModification: [0x04000565, 'CS'],
  ExtendedOffsetTable: [0x7fe00001, 'OV'],
  ExtendedOffsetTableLengths: [0x7fe00002, 'OV'],
  FloatPixelData: [0x7fe00008, 'OF'],
  DoubleFloatPixelData: [0x7fe00009, 'OD'],
  PixelData: [0x7fe00010, 'OW'],
} as const satisfies Record<string, readonly [tag: number, vr: string]>

type Keyword = keyof typeof attributes

/** Tags by keyword, as numbers: `Tag.PatientName` is 0x00100010. */
export const Tag = Object.fromEntries(Object.entries(attributes).map(([keyword, [tag]]) => [keyword, tag])) as {
  readonly [K in Keyword]: number
}

const vrByTag = new Map<number, string>(Object.values(attributes).map(([tag, vr]) => [tag, vr]))

/** The VR of an attribute in this list, else undefined. */
export function vrOfTag(tag: number): string | undefined {
  return vrByTag.get(tag)
}

/** A tag as eight upper-case hex digits, the way the JSON model writes it: "00100010". */
export function tagToHex(tag: number): string {
  return tag.toString(16).toUpperCase().padStart(8, '0')
}

/** A tag from "00100010", "0010,0010" or "(0010,0010)"; undefined when it is none. */
export function parseTag(text: string): number | undefined {
  const hex = text.replace(/[(),\s]/g, '')
  return /^[0-9a-fA-F]{8}$/.test(hex) ? Number.parseInt(hex, 16) : undefined
}

export function isPrivateTag(tag: number): boolean {
  return (tag >>> 16) % 2 === 1
}
