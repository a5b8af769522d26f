import { addressOf } from '@hilum/contract/route'
import { storeMeasurements } from '@hilum/contract/routes/dicomweb'
import { readAddress, type ViewerAddress, withoutSid } from './address.ts'
import { showDatesAs } from './banner-texts.ts'
import { element } from './element.ts'
import { createFullScreen } from './full-screen.ts'
import { createFullViewer, hasFullViewer } from './full-viewer.ts'
import { createComparison } from './comparison.ts'
import {
  askForExam,
  askForPriors,
  onFollow,
  onHostScheme,
  onRoom,
  onSamePatient,
  postCloseViewer,
  postOpenLengths,
  postOpenReports,
  postPlace,
  postRoom,
  postWho,
} from './host-messages.ts'
import { createMeasurementStore } from './measurement-store.ts'
import { createQuickViewer } from './quick-viewer.ts'
import { texts } from './texts.ts'

const app = document.querySelector<HTMLElement>('#app')
if (app === null) throw new Error('The page has no #app')
start(app)

function start(app: HTMLElement): void {
  const asked = new URL(location.href)
  if (asked.searchParams.get('ahead') === '1') return waitForExam(app)
  openExam(app, asked)
}

/** The page was opened before an exam was chosen. Everything that needs none is made ready, until the page around names one. */
function waitForExam(app: HTMLElement): void {
  // an exam that cannot be drawn says so when it is opened
  void import('./warm-up.ts').then(({ warmUp }) => warmUp()).catch(() => undefined)
  askForExam((address) => openExam(app, new URL(address, location.origin)))
}

function openExam(app: HTMLElement, asked: URL): void {
  const address = readAddress(asked)
  history.replaceState(null, '', withoutSid(asked))
  if (address === undefined) {
    // A reload has lost the sid, which is kept in this page's memory only.
    showWords(app, asked.searchParams.has('sid') ? texts.badAddress : texts.viewEnded)
    return
  }
  if (address.scheme !== undefined) document.documentElement.dataset['scheme'] = address.scheme
  onHostScheme((scheme) => {
    document.documentElement.dataset['scheme'] = scheme
  })
  showDatesAs(address.dateFormat)
  if (address.mode === 'full') void showFullViewer(app, address)
  else showQuickViewer(app, address)
}

async function showFullViewer(app: HTMLElement, address: ViewerAddress): Promise<void> {
  showWords(app, texts.loadingFullViewer)
  if (!(await hasFullViewer())) return showWords(app, texts.noFullViewerAlone)
  const full = createFullViewer(address)
  app.replaceChildren(full.root)
  full.open(postCloseViewer)
}

function showQuickViewer(app: HTMLElement, address: ViewerAddress): void {
  const pair = element('div', { class: 'pair' })
  const hasHost = !address.isAlone && !address.isPrior && window.parent !== window
  let opened = address
  const comparison = createComparison(pair, {
    onFollow: (place) => quick.follow(place),
    // whose exam is which stands above both
    onPaired: (isPaired) => quick.setBanner(isPaired || !address.isPatientShown),
    isPatientShown: address.isPatientShown,
    onSamePatient: (isSame) => quick.setSamePatient(isSame),
    onRoom: (room) => quick.giveRoom(room),
  })
  const quick = createQuickViewer({
    namespace: address.phiNamespace,
    studyUid: address.studyUid,
    sid: address.sid,
    isPatientShown: address.isPatientShown,
    onFullScreen: address.isPrior ? undefined : () => void fullScreen.open(),
    onReports: address.isPatientShown && !address.isAlone ? postOpenReports : undefined,
    onClose: address.isAlone ? undefined : postCloseViewer,
    onEscape: () => {
      if (!comparison.end() && !address.isAlone) postCloseViewer()
    },
    storing:
      address.mayStore && !address.isPrior
        ? { store: (report) => storeIn(opened, report), onOpen: (count) => hasHost && postOpenLengths(count) }
        : undefined,
    onPlace: address.isPrior ? postPlace : comparison.setPlace,
    onWho: address.isPrior ? postWho : comparison.setWho,
    onRoom: address.isPrior ? postRoom : comparison.setRoom,
    controls: hasHost ? [comparison.controls] : [],
  })
  pair.append(quick.root)
  // once, also below two exams
  if (!address.isPrior) pair.append(element('p', { class: 'notice' }, texts.notice))
  app.replaceChildren(pair)
  const fullScreen = createFullScreen(app, pair, quick, address)
  if (address.isPrior) {
    onFollow(quick.follow)
    onRoom(quick.giveRoom)
    onSamePatient(quick.setSamePatient)
  } else fullScreen.standBy()
  onHostScheme(comparison.setScheme)
  if (!hasHost) return
  askForPriors((priors, sid) => {
    comparison.setPriors(priors)
    // the full viewer lists the exams that its session names
    if (sid !== undefined) opened = { ...address, sid }
    fullScreen.setAddress(opened)
  })
}

function storeIn({ sid, phiNamespace: namespace, studyUid: study }: ViewerAddress, report: ArrayBuffer): Promise<void> {
  return createMeasurementStore(sid, (uid) => addressOf(storeMeasurements, { namespace, study: uid }))(report, study)
}

function showWords(app: HTMLElement, text: string): void {
  const close = element('button', { type: 'button', class: 'again' }, texts.close)
  close.addEventListener('click', postCloseViewer)
  app.replaceChildren(element('div', { class: 'words alone', role: 'status' }, element('p', {}, text), close))
}
