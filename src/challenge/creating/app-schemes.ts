// Which URL schemes may belong to an app that a challenge leads the person back to. Such a URL is opened in the
// person's browser from our page, and the holder of an API key chooses it. A registered scheme belongs to somebody
// else, and the schemes of operating systems, browsers, stores and tools read files, run commands, change settings,
// make calls or reveal passwords. What remains may still belong to another vendor's app; a name cannot tell.

/**
 * The IANA registry of URI schemes (permanent, provisional and historical ones) as of 2025, without http and https, and
 * without those that {@link APP_SCHEME} excludes or {@link FAMILIES} covers.
 */
const REGISTERED = `
aaa aaas about acap acct acd acr adiumxtra adt afp afs aim amss android appdata apt ar ark at attachment aw barion bb
beshare bitcoin bitcoincash blob bolo brid browserext cabal calculator callto cap cast casts chrome cid coap coaps
com-eventbrite-attendee content content-type crid cstr cvs dab dat data dav dhttp diaspora dict did dis
dlna-playcontainer dlna-playsingle dns dntp doi dpp drm drop dtmi dtn dvb dvx dweb ed2k eid elsi embedded ens ethereum
example facetime fax feed feedready fido file filesystem finger first-run-pen-experience fish fm ftp fuchsia-pkg geo gg
git gitoid gizmoproject go gopher graph grd gtalk h323 ham hcap hcp hs20 hxxp hxxps hydrazone hyper iax icap icon im imap
info iotdisco ipfs ipn ipns ipp ipps irc irc6 ircs iris iris.beep iris.lwz iris.xpc iris.xpcs isostore jabber jar jms
keyparc lastfm lbry ldap ldaps leaptofrogans lid lorawan lpa lvlt machineprovisioningprogressreporter magnet mailserver
mailto maps market matrix message mid mms modem mongodb moz msnim msrp msrps mss mt mtqp mumble mupdate mvn mvrp mvrps
news nfs ni nih nntp notes num ocf oid onenote onenote-cmd opaquelocktoken openid openpgp4fpr otpauth p1 pack palm
paparazzi payment payto pkcs11 platform pop pres prospero proxy psyc pttp pwid qb query quic-transport redis rediss
reload res resource rmi rsync rtmfp rtmp rtsp rtsps rtspu sarif secondlife secret-token service session sftp sgn shc
shttp sieve simpleledger simplex sip sips skype smb smp sms smtp snews snmp soap.beep soap.beeps soldat spiffe spotify
ssb ssh starknet steam stun stuns submit svn swh swid swidpath tag taler teamspeak tel teliaeid telnet tftp things
thismessage tip tn3270 tool turn turns tv udp unreal upt urn ut2004 uuid-in-package v-event vemmi ventrilo ves videotex
view-source vnc vsls w3 wais wcr web3 webcal wifi wpid ws wss wtai wyciwyg xcon xcon-userid xfire xftp xmlrpc.beep
xmlrpc.beeps xmpp xrcp xri ymsgr z39.50 z39.50r z39.50s`;

/** Schemes that programs handle without an entry in the IANA registry. */
const UNREGISTERED = [
  // Scripts and documents that a browser opens with its own authority; its internal pages; other browsers.
  'javascript vbscript livescript mocha mhtml mk its hcp ie.http iehistory feeds pcast podcast googlechrome googlechromes',
  'firefox firefox-focus opera opera-http brave vivaldi edge safari-extension safari-web-extension extension devtools',
  'isolated-app view-cache intent package',
  // Windows: shells, searches, updates, helpers that run the commands they are given.
  'shell search search-ms explorer appinstaller store bingmaps bingnews bingweather xbox zune mapi outlookfeed stssync',
  'outlook onenotedesktop skydrive odopen grvopen wsl wt rlogin ica icat citrixonline vnd.ms.radio tip ntlm',
  // Apple: settings, scripts, stores, telephony.
  'applescript prefs app-prefs app-settings shortcuts workflow macappstore macappstores appstore help photos-redirect',
  'telprompt facetime-audio imessage calshow calinvite ibooks videos music mobilenotes mobilephone radar rdar disk disks',
  'munki jamfselfservice',
  // Android and Linux: stores, packages, settings.
  'smsto mmsto market-https tez snap appstream flatpak ghelp man trash computer network recent admin burn obex cifs davs',
  'webdav ftps scp archive mtp gphoto2 cdda',
  // Tools that run commands, open projects, install software or hand over the screen.
  'vscodium cursor windsurf zed idea phpstorm webstorm pycharm goland clion rider rubymine datagrip fleet atom subl',
  'sublime txmt mvim emacs org-protocol github-mac github-windows x-github-client sourcetree gitkraken docker-desktop',
  'putty winscp rdp anydesk rustdesk teamviewer teamviewerapi teamviewer8 teamviewer10 parsec moonlight zoommtg zoomus',
  'msteams webex ciscotp roblox roblox-player battlenet uplay origin origin2 eadm epic minecraft minecraft-preview',
].join(' ');

/** Families by prefix: Windows and Office, macOS and iOS, stores, browser internals, editors. */
const FAMILIES =
  /^(ms-|microsoft[.-]|windows[.-]|com\.microsoft\.|com\.apple\.|apple-|x-apple|itms|itunes|x-man-page|x-safari-|x-web-search|x-help|chrome-|moz-|vscode|jetbrains|android[.-]|ios-app|com\.android\.|com\.epicgames\.launcher)/;

const HANDLED: ReadonlySet<string> = new Set(`${REGISTERED} ${UNREGISTERED}`.trim().split(/\s+/));

/**
 * RFC 3986 §3.1 without `+`, which joins protocols (`git+ssh`), and at least two characters, because a single letter is
 * a Windows drive. Names (`myapp`) and reversed domain names (`com.example.app`, RFC 8252 §7.1) both match.
 */
const APP_SCHEME = /^[a-z][a-z0-9]+([.-][a-z0-9]+)*$/;

/** Whether a scheme, in lower case and without its colon, may be one that an app has chosen for itself. */
export function isAppScheme(scheme: string): boolean {
  return APP_SCHEME.test(scheme) && !HANDLED.has(scheme) && !FAMILIES.test(scheme);
}
