/** A step that a reader can paste into a shell; the steps build on each other. */
interface Example {
  title: string
  says: string
  shell: string
}

/** Settings before the first step: where the server is, who signs in, and a DICOM file. */
export const exampleSettings = `HILUM=http://localhost:8080   # where the server listens
LOGIN=ada@hospital.example     # who you are
PASSWORD='…'
FILE=image.dcm                 # a DICOM file to send`

/** From signing in to signing out, with nothing but curl and sed. Each is run against a live server by its test. */
export const curlExamples: readonly Example[] = [
  {
    title: 'Sign in',
    says: 'The reply holds the session token, sid. It goes with every further request, best as a bearer token.',
    shell: `SID=$(curl -sf "$HILUM/api/v3/session/login" --data-urlencode "login=$LOGIN" --data-urlencode "password=$PASSWORD" |
  sed 's/.*"sid":"\\([^"]*\\)".*/\\1/')
AUTH="Authorization: Bearer $SID"
curl -sf "$HILUM/api/v3/session/user" -H "$AUTH"`,
  },
  {
    title: 'Choose an inbox',
    says: 'Studies live in namespaces: of groups, accounts and people. Every reply can be limited to some fields.',
    shell: `curl -sf "$HILUM/api/v3/user/namespace/list" -H "$AUTH" -d name_and_id_only=1
ACCOUNT=$(curl -sf "$HILUM/api/v3/account/list" -H "$AUTH" | sed 's/.*"accounts":\\[{"uuid":"\\([^"]*\\)".*/\\1/')
NAMESPACE=$(curl -sf "$HILUM/api/v3/group/list" -H "$AUTH" -d account_id="$ACCOUNT" |
  sed 's/.*"namespace_id":"\\([^"]*\\)".*/\\1/')`,
  },
  {
    title: 'Upload',
    says: 'One file is one request. study/sync says that all were sent; image_count tells how many there should be.',
    shell: `STUDY_UID=$(curl -sf "$HILUM/api/v3/storage/namespace/$NAMESPACE/image" -H "$AUTH" \\
  -H 'Content-Type: application/dicom' --data-binary "@$FILE" | sed 's/.*"study_uid":"\\([^"]*\\)".*/\\1/')
curl -sf "$HILUM/api/v3/study/sync" -H "$AUTH" -d image_count=1 \\
  -d study_uid="$STUDY_UID" -d storage_namespace="$NAMESPACE"`,
  },
  {
    title: 'Find',
    says: 'Filters are ANDed, % is the wildcard of like, sorts are FIELD-asc or FIELD-desc.',
    shell: `curl -sf "$HILUM/api/v3/study/list" -H "$AUTH" \\
  --data-urlencode 'filter.patient_name.like=%' \\
  --data-urlencode 'filter.study_date.ge=19000101' \\
  --data-urlencode 'filter.modality.in=["CT","MR","OT","SC"]' \\
  -d sort_by=study_date-desc,patient_name-asc -d page.rows=10 -d page.number=1 -d page.total=1 \\
  --data-urlencode 'fields.study=["uuid","study_uid","patient_name","image_count"]'
UUID=$(curl -sf "$HILUM/api/v3/study/list" -H "$AUTH" -d filter.study_uid.equals="$STUDY_UID" |
  sed 's/.*"studies":\\[{"uuid":"\\([^"]*\\)".*/\\1/')`,
  },
  {
    title: 'Read and edit',
    says: 'An edit is kept beside what came; the history tells old and new. Everything that leaves carries the new value.',
    shell: `curl -sf "$HILUM/api/v3/study/get?uuid=$UUID" -H "$AUTH"
curl -sf "$HILUM/api/v3/study/set" -H "$AUTH" -H 'Content-Type: application/json' \\
  -d '{"study_id":"'"$UUID"'","study_description":"Second look"}'
curl -sf "$HILUM/api/v3/audit/object" -H "$AUTH" -d uuid="$UUID" --data-urlencode 'filter.action.in=["EDIT"]'`,
  },
  {
    title: 'Tag',
    says: 'A tag is a word at a study; tag/list suggests those in use.',
    shell: `curl -sf "$HILUM/api/v3/tag/add" -H "$AUTH" -d object=Study -d object_id="$UUID" -d tag=urgent
curl -sf "$HILUM/api/v3/tag/list" -H "$AUTH" -d object=Study --data-urlencode 'filter.tag.like=urg%'`,
  },
  {
    title: 'Download',
    says: 'A ZIP with a DICOMDIR; bundle=image gives pictures, bundle=iso a disc.',
    shell: `curl -sf -o study.zip -H "$AUTH" \\
  "$HILUM/api/v3/storage/study/$NAMESPACE/$STUDY_UID/download?bundle=dicom&phi_namespace=$NAMESPACE"`,
  },
  {
    title: 'Several calls at once',
    says: 'Each item has its own sid; one that fails does not stop the others.',
    shell: `curl -sf "$HILUM/api/v3/bundle" -H 'Content-Type: application/json' -d '[
  {"URL":"/study/get","sid":"'"$SID"'","uuid":"'"$UUID"'"},
  {"URL":"/tag/add","sid":"'"$SID"'","object":"Study","object_id":"{{uuid}}","tag":"seen"}]'`,
  },
  {
    title: 'DICOMweb',
    says: 'QIDO-RS, WADO-RS and STOW-RS below /dicomweb/{namespace}; all stands for every namespace of the caller.',
    shell: `curl -sf "$HILUM/dicomweb/all/studies?StudyInstanceUID=$STUDY_UID&includefield=StudyDescription" -H "$AUTH"
curl -sf -o study.jpg "$HILUM/dicomweb/$NAMESPACE/studies/$STUDY_UID/thumbnail" -H "$AUTH"
curl -sf "$HILUM/dicomweb/$NAMESPACE/studies" -H "$AUTH" -H 'Content-Type: application/dicom' \\
  -H 'Accept: application/dicom+json' --data-binary "@$FILE"`,
  },
  {
    title: 'Several files by STOW-RS',
    says: 'Each file is a part of one body. 202 and 409 say in the reply which were refused, and why.',
    shell: `{
  for file in "$FILE" "$FILE"; do
    printf -- '--next\\r\\nContent-Type: application/dicom\\r\\n\\r\\n'; cat "$file"; printf '\\r\\n'
  done
  printf -- '--next--\\r\\n'
} | curl -sf "$HILUM/dicomweb/$NAMESPACE/studies" -H "$AUTH" -H 'Accept: application/dicom+json' \\
  -H 'Content-Type: multipart/related; type="application/dicom"; boundary=next' --data-binary @-`,
  },
  {
    title: 'Frames',
    says: 'By DICOMweb frames count from 1: pixels without compression, or drawn. By the storage API they count from 0.',
    shell: `FOUND=$(curl -sf "$HILUM/dicomweb/$NAMESPACE/studies/$STUDY_UID/instances?limit=1" -H "$AUTH")
SERIES=$(echo "$FOUND" | sed 's/.*"0020000E":{"vr":"UI","Value":\\["\\([^"]*\\)".*/\\1/')
INSTANCE=$(echo "$FOUND" | sed 's/.*"00080018":{"vr":"UI","Value":\\["\\([^"]*\\)".*/\\1/')
IMAGE="$HILUM/dicomweb/$NAMESPACE/studies/$STUDY_UID/series/$SERIES/instances/$INSTANCE"
curl -sf -o frame.raw "$IMAGE/frames/1" -H "$AUTH" -H 'Accept: application/octet-stream'
curl -sf -o frame.png "$IMAGE/frames/1/rendered" -H "$AUTH" -H 'Accept: image/png'
curl -sf -o image.out "$IMAGE" -H "$AUTH" -H 'Accept: application/dicom; transfer-syntax=*'
curl -sf -o frame.jpg "$HILUM/api/v3/storage/study/$NAMESPACE/$STUDY_UID/image/$INSTANCE/version/*/frame/0" -H "$AUTH"`,
  },
  {
    title: 'What a refusal looks like',
    says: 'A call answers 412 with error_type, and error_subtype where something can be named.',
    shell: `curl -s "$HILUM/api/v3/study/set" -H "$AUTH" -d study_id="$UUID" -d colour=blue | grep -q INVALID_FIELD
curl -s -o refused.json -w '%{http_code}\\n' "$HILUM/api/v3/study/get" -H "$AUTH" -d uuid=00000000-0000-4000-8000-000000000000`,
  },
  {
    title: 'Sign out',
    says: 'Ends the session and everything derived from it.',
    shell: `curl -sf "$HILUM/api/v3/session/logout" -H "$AUTH" -d ''`,
  },
]

/** Prints what the channel says of a namespace, until it is ended. */
export const listening = `node -e '
const [host, namespace, sid] = process.argv.slice(1)
const channel = new WebSocket(host.replace("http", "ws") + "/api/v3/channel/websocket")
channel.onmessage = ({ data }) => console.log(data)
channel.onopen = () => channel.send(JSON.stringify({ action: "subscribe", channel: "study." + namespace, sid }))
setInterval(() => channel.send(JSON.stringify({ action: "ping" })), 10000)
' "$HILUM" "$NAMESPACE" "$SID"`

/** Frames of the channel: what a client sends, and what it hears. `NAMESPACE`, `SID` stand for real ones. */
export const channelFrames = {
  subscribe: '{"action":"subscribe","channel":"study.NAMESPACE","sid":"SID"}',
  joined: '{"status":"OK","channel":"study.NAMESPACE"}',
  ping: '{"action":"ping"}',
  unsubscribe: '{"action":"unsubscribe","channel":"study.NAMESPACE","sid":"SID"}',
}
