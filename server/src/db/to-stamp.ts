/** A moment as the database writes stamps, and the wire with it: `YYYY-MM-DD hh:mm:ss.ffffff+00`. */
export function toStamp(moment: Date): string {
  return `${moment.toISOString().slice(0, 23).replace('T', ' ')}000+00`
}
