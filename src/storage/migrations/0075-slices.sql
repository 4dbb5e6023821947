-- A recording travels as it is made: in slices, each announced before its bytes come. What was announced before is one slice.
alter table capture add column slices jsonb not null default '[]';
update capture set slices = jsonb_build_array(jsonb_build_object(
    'size_bytes', size_bytes, 'to_ms', 0, 'announced_ms', 0, 'mac', encode(video_mac, 'base64')))
  where state = 'committed' and video_mac is not null;
alter table capture drop column video_mac;
