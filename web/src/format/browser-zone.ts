/** IANA name of the zone of this browser. */
export const browserZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone
