/** Hears when somebody puts the view of a viewport back: stacks raise no event of the library then. */
export function hearResets(viewport: { resetProperties: () => void }, handleReset: () => void): void {
  const reset = viewport.resetProperties.bind(viewport)
  viewport.resetProperties = () => {
    reset()
    handleReset()
  }
}
