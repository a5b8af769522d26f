import type { LockedPackage } from './package-closure.ts'

/** A part of a release that is no package of npm's list. */
export interface OtherPart {
  name: string
  version: string
  licence: string
  purl: string
  /** Hex, where the part is one file. */
  sha256?: string
}

/** A software bill of materials (CycloneDX 1.6, JSON): what is inside a release, with licences and hashes. */
export function billOfMaterials(
  release: { version: string; at: string },
  packages: readonly LockedPackage[],
  others: readonly OtherPart[],
): object {
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      timestamp: release.at,
      component: {
        type: 'application',
        name: 'hilum',
        version: release.version,
        licenses: [{ license: { id: 'Apache-2.0' } }],
        purl: `pkg:generic/hilum@${release.version}`,
      },
    },
    components: [
      ...packages.map(({ name, version, licence, integrity }) => ({
        type: 'library',
        'bom-ref': purlOf(name, version),
        name,
        version,
        purl: purlOf(name, version),
        licenses: licencesOf(licence),
        ...(integrity === undefined ? {} : { hashes: [hashOf(integrity)] }),
      })),
      ...others.map(({ name, version, licence, purl, sha256 }) => ({
        type: 'library',
        'bom-ref': purl,
        name,
        version,
        purl,
        licenses: licencesOf(licence),
        ...(sha256 === undefined ? {} : { hashes: [{ alg: 'SHA-256', content: sha256 }] }),
      })),
    ],
  }
}

function purlOf(name: string, version: string): string {
  return `pkg:npm/${name.replace('@', '%40')}@${version}`
}

/** Names of the SPDX list are ids, several together an expression, and everything else is told as written. */
function licencesOf(licence: string): object[] {
  if (/ (OR|AND|WITH) /.test(licence)) return [{ expression: licence }]
  return [{ license: /^[A-Za-z0-9.+-]+$/.test(licence) && licence !== 'unknown' ? { id: licence } : { name: licence } }]
}

/** From npm's `sha512-<base64>` to hexadecimal digits. */
function hashOf(integrity: string): { alg: string; content: string } {
  const [algorithm = '', digest = ''] = (integrity.split(' ')[0] ?? '').split('-')
  return { alg: algorithm.replace('sha', 'SHA-'), content: Buffer.from(digest, 'base64').toString('hex') }
}
