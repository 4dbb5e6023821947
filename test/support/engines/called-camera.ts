// A camera at the other end of a call within the page: what the call does to its track are the engine's own events, where an event that
// a script has made reaches nobody (Firefox).

/**
 * To be run in a page with a camera of the tests: its picture comes through a call from now on. `window.hangUp()` ends its track,
 * `window.holdCall()` lets it fall silent.
 */
export const CAMERA_OF_A_CALL = `{
  const open = navigator.mediaDevices.getUserMedia;
  navigator.mediaDevices.getUserMedia = async (wanted) => {
    const [camera] = (await open(wanted)).getTracks();
    const near = new RTCPeerConnection();
    const far = new RTCPeerConnection();
    near.onicecandidate = ({ candidate }) => candidate && far.addIceCandidate(candidate);
    far.onicecandidate = ({ candidate }) => candidate && near.addIceCandidate(candidate);
    const line = near.addTransceiver(camera, { direction: 'sendonly' });
    const agree = async () => {
      await near.setLocalDescription();
      await far.setRemoteDescription(near.localDescription);
      await far.setLocalDescription();
      await near.setRemoteDescription(far.localDescription);
    };
    window.hangUp = () => {
      line.stop();
      return agree();
    };
    window.holdCall = () => {
      line.direction = 'inactive';
      return agree();
    };
    const received = new Promise((resolve) => {
      far.ontrack = ({ track }) => resolve(track);
    });
    await agree();
    const track = await received;
    window.cameraTracks = [track];
    return new MediaStream([track]);
  };
}`;
