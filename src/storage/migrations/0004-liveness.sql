-- Which frames a capture holds, so that its video is known again when it is sent a second time: HMACs, under the
-- account's key, of hashes of a few frames (src/evaluation/liveness/sequence-prints.ts). No picture and nothing of a
-- face can be had from them. They go with their capture, that is with the result.
create table capture_frame (
  account_id text not null references account on delete cascade,
  print bytea not null,
  capture_id text not null references capture on delete cascade,
  primary key (account_id, print, capture_id)
);
create index capture_frame_capture on capture_frame (capture_id);
