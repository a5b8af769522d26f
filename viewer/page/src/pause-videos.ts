/** Stops the videos of a page that something else covers, in its frames too. */
export function pauseVideos(page: ParentNode): void {
  for (const video of page.querySelectorAll('video')) video.pause()
  for (const { contentDocument } of page.querySelectorAll('iframe')) if (contentDocument) pauseVideos(contentDocument)
}
