/** The product's version, by which clients name themselves to the server (API-01). */
export const releaseVersion = '0.1.0'
