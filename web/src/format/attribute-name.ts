/**
 * A DICOM attribute in words, "Study Instance UID" for StudyInstanceUID.
 * @param keyword empty where the attribute has none, as a vendor's own
 * @param tag shown in place of one
 */
export function attributeName(keyword: string, tag: string): string {
  return keyword.replace(/(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, ' ') || tag
}
