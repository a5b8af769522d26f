import { type CorpusFile, isCorpusMissing, listCorpus, readCorpusFile } from '@hilum/dicom/node/corpus'
import { correctFile } from '@hilum/dicom/node/correct-file'
import { inflate } from '@hilum/dicom/node/inflate'
import { readDataSet, readHeader } from '@hilum/dicom/read'
import { DicomReadError } from '@hilum/dicom/read-error'
import { Tag } from '@hilum/dicom/tags'
import { findItems, findText } from '@hilum/dicom/values'
import { scripts, walkDoors } from '../../server/test/correction-doors.ts'
import { Site } from './crash/site.ts'
import type { Outcome, ProofPart, Stage } from './proof.ts'
import { NotRunnable } from './small-disk.ts'

/** Every file of the corpus, corrected in every script, and every door through which a corrected file leaves. */
export const corrections: ProofPart = {
  name: 'corrections',
  title: 'A correction always leaves',
  method: `Name and MRN of every readable file of the corpus are corrected to names in twelve scripts, and the file that
would leave is read again: the new identity, the old one among the original attributes and nowhere else at the top, in a
character set that holds both. Then every study is uploaded to a running server and corrected with \`study/set\` to one of
these names, and everything that can be asked of it is asked: WADO-RS of study and series, stored and converted, metadata,
QIDO-RS at three levels, ZIP, disc, converted ZIP, pictures (with the names of files and folders) and every JSON with all images of the study, and of three of
its images WADO-RS, metadata, bulk data, the file and every JSON of the storage API; the record by \`study/get\` and \`study/list\`, and QIDO-RS by the old MRN, which must find nothing. An answer has the new identity or is an error in words; the old one is a fault.`,
  run,
}

async function run(stage: Stage): Promise<Outcome> {
  if (isCorpusMissing) throw new NotRunnable('the corpus is not here')
  const files = listCorpus().filter(({ path, expected }) => expected === 'accept' && !path.startsWith('media/zip/'))
  const faults: string[] = []
  const alone = correctAlone(files, faults)
  stage.say(`${alone.corrected} corrections of ${files.length} files in memory`)
  const site = new Site(stage.folder)
  try {
    await site.start()
    const { counts, refusals } = await walkAll(site, files, faults, stage)
    return {
      table: [
        ['Asked', 'Right', 'Refused in words', 'Old identity'],
        ['Files in memory', String(alone.corrected), String(alone.refused), '0'],
        ...[...counts].map(([door, count]) => [door, count.right, count.refused, count.old].map(String)),
      ],
      notes: [
        `${files.length} files of ${studiesOf(files).size} studies, ${scripts.length} scripts: ${scripts.map(({ script }) => script).join(', ')}.`,
        'Files of studies whose images name several patients are refused until somebody overrules that; so are pixels that cannot be had in another transfer syntax. All refusals, by the first file of the study:',
        ...refusals,
      ],
      faults,
    }
  } finally {
    await site.end()
  }
}

/** Every file with every name, without a server. */
function correctAlone(files: readonly CorpusFile[], faults: string[]): { corrected: number; refused: number } {
  const count = { corrected: 0, refused: 0 }
  for (const { path } of files) {
    const bytes = readCorpusFile(path)
    const read = readHeader(bytes, { untilPixelData: true, inflate })
    if (read.kind !== 'header') throw new Error('A whole file needs no more bytes')
    for (const { name, mrn, script } of scripts) {
      const edits = [
        { tag: Tag.PatientName, old: '', new: name, isForAll: true },
        { tag: Tag.PatientID, old: '', new: mrn, isForAll: true },
      ]
      try {
        const { prefix, applied } = correctFile(bytes, read.header, { edits, modifiedAt: '20260101000000+0000' })
        const { dataSet } = readDataSet(prefix, { inflate })
        const kept = findItems(dataSet, Tag.OriginalAttributesSequence).at(-1)
        const [original] = kept ? findItems(kept, Tag.ModifiedAttributesSequence) : []
        const isRight = edits.every(({ tag, new: value }) => {
          const before = findText(read.header.dataSet, tag) ?? ''
          // a file that says so already has no original to keep
          const isApplied = applied.some((edit) => edit.tag === tag)
            ? (original && (findText(original, tag) ?? '')) === before
            : before === value
          return isApplied && findText(dataSet, tag) === value
        })
        if (!isRight) faults.push(`${path} in ${script}: not as corrected`)
        count.corrected += 1
      } catch (error) {
        if (!(error instanceof DicomReadError)) throw error
        count.refused += 1
      }
    }
  }
  return count
}

function studiesOf(files: readonly CorpusFile[]): Map<string, CorpusFile[]> {
  return Map.groupBy(files, (file) => file['study_uid'] ?? '')
}

type Counts = Map<string, { right: number; refused: number; old: number }>

async function walkAll(
  site: Site,
  files: readonly CorpusFile[],
  faults: string[],
  { say }: Stage,
): Promise<{ counts: Counts; refusals: string[] }> {
  const counts: Counts = new Map()
  const refusals: string[] = []
  let turn = 0
  for (const [studyUid, ofStudy] of studiesOf(files)) {
    const stored = new Map<string, Uint8Array>()
    for (const { path, sop_uid = '' } of ofStudy) {
      const bytes = readCorpusFile(path)
      const reply = await fetch(site.storage(`namespace/${site.namespace}/image`), {
        method: 'POST',
        body: new Uint8Array(bytes),
      })
      if (reply.status !== 202) faults.push(`${path} was refused with ${reply.status}`)
      // of two with one UID the first is the one that is shown
      else if (!stored.has(sop_uid)) stored.set(sop_uid, bytes)
    }
    const { name, mrn: stem } = scripts[turn++ % scripts.length] as (typeof scripts)[number]
    // one number for several people would be asked about
    const mrn = `${stem}-${turn}`
    const key = { study_uid: studyUid, storage_namespace: site.namespace, phi_namespace: site.namespace }
    await site.call('study/set', { sid: site.sid, ...key, patient_name: name, patientid: mrn })
    const { mixed_patients } = await site.call<{ mixed_patients: number }>('study/get', { sid: site.sid, ...key })
    const study = { studyUid, files: stored, name, mrn, isMixed: mixed_patients === 1 }
    const place = { origin: site.server.address, sid: site.sid, namespace: site.namespace }
    for await (const { door, verdict, detail } of walkDoors(place, study, true)) {
      const count = counts.get(door) ?? { right: 0, refused: 0, old: 0 }
      count[verdict] += 1
      counts.set(door, count)
      if (verdict === 'refused') refusals.push(`${ofStudy[0]?.path} at ${door}: ${detail}`)
      if (verdict === 'old') faults.push(`${ofStudy[0]?.path} at ${door}: ${detail}`)
    }
    if (turn % 10 === 0) say(`${turn} studies`)
  }
  return { counts, refusals }
}
