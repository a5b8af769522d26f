/** The version of an image or attachment: the first 128 bits of the SHA-256 (hex) of its bytes, written as a uuid. */
export function versionOf(sha256: string): string {
  return sha256.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
