/** SOP classes of what is made from files that are no DICOM (PS3.4 B.5). */
export const SecondaryCaptureStorage = '1.2.840.10008.5.1.4.1.1.7'
export const VlPhotographicStorage = '1.2.840.10008.5.1.4.1.1.77.1.4'
export const EncapsulatedPdfStorage = '1.2.840.10008.5.1.4.1.1.104.1'
