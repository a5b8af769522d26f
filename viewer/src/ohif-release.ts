/** The one release of OHIF that our patches were written and tried for. */
export const ohifRelease = {
  package: '@ohif/app',
  version: '3.13.2',
  tarball: 'ohif-app-3.13.2.tgz',
  /** Pinned here too, so that a changed registry cannot hand us other code than what was tried. */
  integrity: 'sha512-WZdxmpmG7rqFgW9ZJLcbgr3XCtLi1KDNPoMaeY5PPe6j4G4fjEjjkycZM6C6Zk2F87BKxFfpq+jd5xXZB9E8EA==',
  /** The worker that decodes pixels; its older JPEG-LS decoder needs `eval`, see `viewer-files.ts`. */
  decodeWorker: '8097.bundle.8ae6404ba94890a0.js',
}
