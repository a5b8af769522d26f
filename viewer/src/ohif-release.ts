/** The one release of OHIF that our patches were written and tried for. */
export const ohifRelease = {
  package: '@ohif/app',
  version: '3.13.2',
  tarball: 'ohif-app-3.13.2.tgz',
  /** Pinned here too, so that a changed registry cannot hand us other code than what was tried. */
  integrity: 'sha512-WZdxmpmG7rqFgW9ZJLcbgr3XCtLi1KDNPoMaeY5PPe6j4G4fjEjjkycZM6C6Zk2F87BKxFfpq+jd5xXZB9E8EA==',
  /**
   * Scripts beside the start script that the full viewer loads before its first picture, as a browser shows them: OHIF asks
   * for them one after the other. Told to the browser ahead, they come at once.
   */
  loadedFirst: [
    '1673.bundle.76779c7722e8c6c0.js',
    '6938.bundle.34415aaeea5935b3.js',
    '6489.bundle.95cb243641a61a2f.js',
    '6495.bundle.8e8306fedff44999.js',
    '8478.bundle.4520037e6185b95f.js',
    '89.bundle.b327bf3664812958.js',
    '2779.bundle.4621e305af9e2c6a.js',
    '2623.bundle.44c0c8ec6fa40d03.js',
    '6749.bundle.2a95108fde2dedb6.js',
    '9383.bundle.40008913697b48b8.js',
    '7499.bundle.796480e788eda09a.js',
    '7248.bundle.e874b288ff479513.js',
    '781.bundle.54774b486e83a5e1.js',
    '9415.bundle.95b6a277cf9bd823.js',
    '3500.bundle.e96688cc0e82b35f.js',
    '5406.bundle.4dcfa7c697973300.js',
    '3760.bundle.dc948e0d7fbed387.js',
    '8097.bundle.8ae6404ba94890a0.js',
  ],
  /** The worker that decodes pixels; its older JPEG-LS decoder needs `eval`, see `viewer-files.ts`. */
  decodeWorker: '8097.bundle.8ae6404ba94890a0.js',
}
