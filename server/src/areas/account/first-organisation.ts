/** The name of the first account, until its administrator gives it another. */
export const firstOrganisation = 'Organisation'
