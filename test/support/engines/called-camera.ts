// A camera at the far end of a call within the page. The call fires the engine's own events on its track, which is
// needed in Firefox, where scripted events reach no listener.

/**
 * Run in a page with one of the tests' cameras: from then on its picture comes through a call. `window.hangUp()` ends
 * its track, `window.holdCall()` mutes it.
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
