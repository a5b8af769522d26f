/**
 * Whether the browser asks pages to save data (a metered line, or a person's choice; Save-Data). Pages then load nothing
 * ahead. Browsers without the question (Firefox, Safari) never ask.
 */
export function savesData(): boolean {
  const { connection } = navigator as { connection?: { saveData?: boolean } } // not in TypeScript's types of the DOM
  return connection?.saveData === true
}
