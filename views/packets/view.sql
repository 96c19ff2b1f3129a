-- rows of microsoft_windows_pktmon_160, microsoft_windows_pktmon_170, microsoft_windows_pktmon_200, microsoft_windows_pktmon_210, microsoft_windows_pktmon_220, microsoft_windows_pktmon_230, microsoft_windows_pktmon_240, microsoft_windows_ndis_packetcapture_1001, microsoft_windows_ndis_packetcapture_1003, microsoft_windows_ras_ndiswanpacketcapture_5001, microsoft_windows_ras_ndiswanpacketcapture_5002
--   event_ref
--   timestamp TIMESTAMP not null: When the packet was seen, UTC. Of a packet in fragments, when its first one was.
--   time_ns
--   clock_ns
--   seconds
--   processor
--   source STRING not null: Who captured it: PktMon, NDIS (netsh trace), VMSwitch or RAS.
--   interface_index INT64 nullable: Interface index of the network adapter. NULL if the trace does not record it.
--   interface_name STRING nullable: Name of the adapter, of the network card of a switch, or of the user of a remote access. NULL if the trace does not record it.
--   component_id INT64 nullable: Component of PktMon that showed the packet; of a switch, the port. NULL for others.
--   component_name STRING nullable: Driver of the component, or its description. NULL if the trace does not record it.
--   edge STRING nullable: Side of the component, such as Upper. NULL if the trace does not record it.
--   direction STRING nullable: received or sent. NULL if the event records neither, as inside a switch.
--   link_type STRING nullable: What the bytes begin with: Ethernet, IP or 802.11. NULL if neither the event nor the bytes say it.
--   source_mac STRING nullable: MAC address, of Ethernet frames.
--   destination_mac STRING nullable: MAC address, of Ethernet frames.
--   vlan_id INT64 nullable: VLAN of the outermost tag. NULL without one.
--   ether_type INT64 nullable: EtherType after the tags: 2048 IPv4, 34525 IPv6, 2054 ARP. NULL if there is none.
--   source_address STRING nullable: IPv4 or IPv6 address; of ARP, of the sender.
--   destination_address STRING nullable: IPv4 or IPv6 address; of ARP, of the target.
--   ip_protocol INT64 nullable: Number of the protocol in IP. NULL if the packet is not IP.
--   protocol STRING nullable: ARP, or ip_protocol by name. NULL if no name is known.
--   source_port INT64 nullable: Port of TCP, UDP or SCTP. NULL for other protocols, and for later fragments of IP.
--   destination_port INT64 nullable: Port of TCP, UDP or SCTP. NULL like source_port.
--   tcp_flags STRING nullable: Flags of TCP by name, joined by |. NULL for other protocols.
--   icmp_type INT64 nullable: Type of ICMP or ICMPv6. NULL for other protocols.
--   icmp_code INT64 nullable: Code of ICMP or ICMPv6. NULL for other protocols.
--   wire_length INT64 nullable: Bytes on the wire. NULL if the capture cut the packet and neither event nor IP header says how long it was.
--   captured_length INT64 not null: Bytes in the trace.
--   process_id INT64 nullable: Process in whose context the event was logged, which need not be the sender's or receiver's.
--   process_name STRING nullable: Name of the process. NULL if unknown.
--   thread_id INT64 nullable: Thread that logged the event.
--   drop_reason STRING nullable: Why the component dropped the packet. NULL if it did not.
--   drop_location STRING nullable: Place in the driver that dropped it, hexadecimal. NULL if it was not dropped, or the event has none.
--   packet_group UINT64 nullable: With packet_number, identifies the packet in all its appearances. NULL if it appears once.
--   packet_number INT64 nullable: Number of the packet in packet_group.
--   appearance INT64 nullable: How many times PktMon has shown the packet, this time included. NULL if it appears once.
WITH fragments AS (
  SELECT 'NDIS' AS source, miniport_if_index AS interface_index, CAST(NULL AS BIGINT) AS component_id, lower_if_index AS edge_id, CAST(NULL AS STRING) AS place, trace, event_ref, timestamp, time_ns, clock_ns, seconds, processor, process_id, process_name, thread_id, CAST(keyword % 68719476736 AS BIGINT) AS keys,
    hex(array_slice(fragment, 1, 160)) AS h, CAST(COALESCE(octet_length(fragment), 0) AS BIGINT) AS bytes FROM microsoft_windows_ndis_packetcapture_1001
  UNION ALL SELECT 'VMSwitch', CAST(NULL AS BIGINT), source_port_id, CAST(NULL AS BIGINT), NULLIF(source_nic_name, ''), trace, event_ref, timestamp, time_ns, clock_ns, seconds, processor, process_id, process_name, thread_id, CAST(keyword % 68719476736 AS BIGINT) AS keys,
    hex(array_slice(fragment, 1, 160)) AS h, CAST(COALESCE(octet_length(fragment), 0) AS BIGINT) AS bytes FROM microsoft_windows_ndis_packetcapture_1003
),
marked AS (
  SELECT *, row_number() OVER (PARTITION BY trace, source, interface_index, component_id, edge_id, direction, thread_id, CASE WHEN thread_id = 0 THEN processor END ORDER BY clock_ns, event_ref) AS n
  FROM (
    SELECT *, CASE WHEN (keys & 1073741824) <> 0 THEN 1 ELSE 0 END AS starts, CASE WHEN (keys & 2147483648) <> 0 THEN 1 ELSE 0 END AS ends,
      CASE WHEN (keys & 8589934592) <> 0 THEN 'received' WHEN (keys & 4294967296) <> 0 THEN 'sent' END AS direction
    FROM fragments
  ) AS f
),
-- A packet is open if the last fragment with a mark starts one and does not end it.
opened AS (
  SELECT *, COALESCE(max(CASE WHEN starts + ends > 0 THEN 4 * n + starts + 2 * ends END) OVER (PARTITION BY trace, source, interface_index, component_id, edge_id, direction, thread_id, CASE WHEN thread_id = 0 THEN processor END ORDER BY n ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) % 4, 0) = 1 AS is_open
  FROM marked
),
counted AS (
  SELECT *, sum(CASE WHEN starts = 1 OR NOT is_open THEN 1 ELSE 0 END) OVER (PARTITION BY trace, source, interface_index, component_id, edge_id, direction, thread_id, CASE WHEN thread_id = 0 THEN processor END ORDER BY n ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS packet
  FROM opened
),
joined AS (
  SELECT *, substr(concat(h, COALESCE(lead(h, 1) OVER following, ''), COALESCE(lead(h, 2) OVER following, ''), COALESCE(lead(h, 3) OVER following, ''),
      COALESCE(lead(h, 4) OVER following, ''), COALESCE(lead(h, 5) OVER following, ''), COALESCE(lead(h, 6) OVER following, ''), COALESCE(lead(h, 7) OVER following, '')), 1, 320) AS digits,
    CAST(sum(bytes) OVER whole AS BIGINT) AS captured, max(CASE WHEN (keys & 33554432) <> 0 THEN 1 ELSE 0 END) OVER whole = 1 AS is_cut
  FROM counted
  WINDOW following AS (PARTITION BY trace, source, interface_index, component_id, edge_id, direction, thread_id, CASE WHEN thread_id = 0 THEN processor END, packet ORDER BY n), whole AS (PARTITION BY trace, source, interface_index, component_id, edge_id, direction, thread_id, CASE WHEN thread_id = 0 THEN processor END, packet)
),
captured AS (
  SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, processor, process_id, process_name, thread_id, 'PktMon' AS source,
    CAST(component_id AS BIGINT) AS component_id, CAST(edge_id AS BIGINT) AS edge_id, CAST(NULL AS BIGINT) AS interface_index, CAST(NULL AS STRING) AS place,
    CASE WHEN dir_tag IN (1, 3) THEN 'received' WHEN dir_tag IN (2, 4) THEN 'sent' END AS direction,
    CASE packet_type WHEN 0 THEN '' WHEN 1 THEN 'Ethernet' WHEN 2 THEN '802.11' WHEN 3 THEN 'IP' END AS link,
    hex(array_slice(payload_payload, 1, 160)) AS h, CAST(COALESCE(octet_length(payload_payload), 0) AS BIGINT) AS captured, CAST(original_payload_size AS BIGINT) AS original, false AS is_cut, CAST(NULL AS STRING) AS drop_reason, CAST(NULL AS STRING) AS drop_location, pkt_group_id AS packet_group, CAST(pkt_number AS BIGINT) AS packet_number, CAST(appearance_count AS BIGINT) AS appearance FROM microsoft_windows_pktmon_160
  UNION ALL SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, processor, process_id, process_name, thread_id, 'PktMon' AS source,
    CAST(component_id AS BIGINT) AS component_id, CAST(edge_id AS BIGINT) AS edge_id, CAST(NULL AS BIGINT) AS interface_index, CAST(NULL AS STRING) AS place,
    CASE WHEN dir_tag IN (1, 3) THEN 'received' WHEN dir_tag IN (2, 4) THEN 'sent' END AS direction,
    CASE packet_type WHEN 0 THEN '' WHEN 1 THEN 'Ethernet' WHEN 2 THEN '802.11' WHEN 3 THEN 'IP' END AS link,
    hex(array_slice(payload_payload, 1, 160)) AS h, CAST(COALESCE(octet_length(payload_payload), 0) AS BIGINT) AS captured, CAST(original_payload_size AS BIGINT) AS original, false AS is_cut, COALESCE(drop_reason_text, concat('reason ', CAST(drop_reason AS STRING))) AS drop_reason, CASE WHEN drop_location <> 0 THEN concat('0x', lower(hex(drop_location))) END AS drop_location, pkt_group_id AS packet_group, CAST(pkt_number AS BIGINT) AS packet_number, CAST(appearance_count AS BIGINT) AS appearance FROM microsoft_windows_pktmon_170
  UNION ALL SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, processor, process_id, process_name, thread_id, 'PktMon' AS source,
    CAST(component_id AS BIGINT) AS component_id, CAST(edge_id AS BIGINT) AS edge_id, CAST(NULL AS BIGINT) AS interface_index, CAST(NULL AS STRING) AS place,
    CASE WHEN dir_tag IN (1, 3) THEN 'received' WHEN dir_tag IN (2, 4) THEN 'sent' END AS direction,
    CASE packet_type WHEN 0 THEN '' WHEN 1 THEN 'Ethernet' WHEN 2 THEN '802.11' WHEN 3 THEN 'IP' END AS link,
    hex(array_slice(payload_payload, 1, 160)) AS h, CAST(COALESCE(octet_length(payload_payload), 0) AS BIGINT) AS captured, CAST(original_payload_size AS BIGINT) AS original, false AS is_cut, COALESCE(drop_reason_text, concat('reason ', CAST(drop_reason AS STRING))) AS drop_reason, CASE WHEN drop_location <> 0 THEN concat('0x', lower(hex(drop_location))) END AS drop_location, pkt_group_id AS packet_group, CAST(pkt_number AS BIGINT) AS packet_number, CAST(appearance_count AS BIGINT) AS appearance FROM microsoft_windows_pktmon_240
  UNION ALL SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, processor, process_id, process_name, thread_id, 'PktMon' AS source,
    CAST(component_id AS BIGINT) AS component_id, CAST(edge_id AS BIGINT) AS edge_id, CAST(NULL AS BIGINT) AS interface_index, CAST(NULL AS STRING) AS place,
    CASE WHEN dir_tag IN (1, 3) THEN 'received' WHEN dir_tag IN (2, 4) THEN 'sent' END AS direction,
    CASE packet_type WHEN 0 THEN '' WHEN 1 THEN 'Ethernet' WHEN 2 THEN '802.11' WHEN 3 THEN 'IP' END AS link,
    hex(array_slice(payload_payload, 1, 160)) AS h, CAST(COALESCE(octet_length(payload_payload), 0) AS BIGINT) AS captured, CAST(original_payload_size AS BIGINT) AS original, false AS is_cut, CAST(NULL AS STRING) AS drop_reason, CAST(NULL AS STRING) AS drop_location, NULL AS packet_group, CAST(NULL AS BIGINT) AS packet_number, CAST(NULL AS BIGINT) AS appearance FROM microsoft_windows_pktmon_200
  UNION ALL SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, processor, process_id, process_name, thread_id, 'PktMon' AS source,
    CAST(component_id AS BIGINT) AS component_id, CAST(edge_id AS BIGINT) AS edge_id, CAST(NULL AS BIGINT) AS interface_index, CAST(NULL AS STRING) AS place,
    CASE WHEN dir_tag IN (1, 3) THEN 'received' WHEN dir_tag IN (2, 4) THEN 'sent' END AS direction,
    CASE packet_type WHEN 0 THEN '' WHEN 1 THEN 'Ethernet' WHEN 2 THEN '802.11' WHEN 3 THEN 'IP' END AS link,
    hex(array_slice(payload_payload, 1, 160)) AS h, CAST(COALESCE(octet_length(payload_payload), 0) AS BIGINT) AS captured, CAST(original_payload_size AS BIGINT) AS original, false AS is_cut, COALESCE(drop_reason_text, concat('reason ', CAST(drop_reason AS STRING))) AS drop_reason, CASE WHEN drop_location <> 0 THEN concat('0x', lower(hex(drop_location))) END AS drop_location, NULL AS packet_group, CAST(NULL AS BIGINT) AS packet_number, CAST(NULL AS BIGINT) AS appearance FROM microsoft_windows_pktmon_210
  UNION ALL SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, processor, process_id, process_name, thread_id, 'PktMon' AS source,
    CAST(component_id AS BIGINT) AS component_id, CAST(edge_id AS BIGINT) AS edge_id, CAST(NULL AS BIGINT) AS interface_index, CAST(NULL AS STRING) AS place,
    CASE WHEN dir_tag IN (1, 3) THEN 'received' WHEN dir_tag IN (2, 4) THEN 'sent' END AS direction,
    CASE packet_type WHEN 0 THEN '' WHEN 1 THEN 'Ethernet' WHEN 2 THEN '802.11' WHEN 3 THEN 'IP' END AS link,
    hex(array_slice(payload_payload, 1, 160)) AS h, CAST(COALESCE(octet_length(payload_payload), 0) AS BIGINT) AS captured, CAST(original_payload_size AS BIGINT) AS original, false AS is_cut, CAST(NULL AS STRING) AS drop_reason, CAST(NULL AS STRING) AS drop_location, NULL AS packet_group, CAST(NULL AS BIGINT) AS packet_number, CAST(NULL AS BIGINT) AS appearance FROM microsoft_windows_pktmon_220
  UNION ALL SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, processor, process_id, process_name, thread_id, 'PktMon' AS source,
    CAST(component_id AS BIGINT) AS component_id, CAST(edge_id AS BIGINT) AS edge_id, CAST(NULL AS BIGINT) AS interface_index, CAST(NULL AS STRING) AS place,
    CASE WHEN dir_tag IN (1, 3) THEN 'received' WHEN dir_tag IN (2, 4) THEN 'sent' END AS direction,
    CASE packet_type WHEN 0 THEN '' WHEN 1 THEN 'Ethernet' WHEN 2 THEN '802.11' WHEN 3 THEN 'IP' END AS link,
    hex(array_slice(payload_payload, 1, 160)) AS h, CAST(COALESCE(octet_length(payload_payload), 0) AS BIGINT) AS captured, CAST(original_payload_size AS BIGINT) AS original, false AS is_cut, COALESCE(drop_reason_text, concat('reason ', CAST(drop_reason AS STRING))) AS drop_reason, CASE WHEN drop_location <> 0 THEN concat('0x', lower(hex(drop_location))) END AS drop_location, NULL AS packet_group, CAST(NULL AS BIGINT) AS packet_number, CAST(NULL AS BIGINT) AS appearance FROM microsoft_windows_pktmon_230
  UNION ALL SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, processor, process_id, process_name, thread_id, source, component_id, edge_id, interface_index, place, direction,
    CASE WHEN source = 'VMSwitch' THEN 'Ethernet' WHEN (keys & 65536) <> 0 THEN '802.11' WHEN (keys & 33280) <> 0 THEN 'IP' WHEN (keys & 1) <> 0 THEN 'Ethernet' ELSE '' END,
    digits, captured, NULL, is_cut, CAST(NULL AS STRING) AS drop_reason, CAST(NULL AS STRING) AS drop_location, NULL AS packet_group, CAST(NULL AS BIGINT) AS packet_number, CAST(NULL AS BIGINT) AS appearance
    FROM joined WHERE starts = 1 OR NOT is_open AND ends = 0
  UNION ALL SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, processor, process_id, process_name, thread_id, 'RAS' AS source,
    CAST(NULL AS BIGINT) AS component_id, CAST(NULL AS BIGINT) AS edge_id, CAST(NULL AS BIGINT) AS interface_index, NULLIF(rras_user_name, '') AS place, 'sent', '', hex(array_slice(fragment, 1, 160)), CAST(COALESCE(octet_length(fragment), 0) AS BIGINT), NULL, false, CAST(NULL AS STRING) AS drop_reason, CAST(NULL AS STRING) AS drop_location, NULL AS packet_group, CAST(NULL AS BIGINT) AS packet_number, CAST(NULL AS BIGINT) AS appearance
    FROM microsoft_windows_ras_ndiswanpacketcapture_5001
  UNION ALL SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, processor, process_id, process_name, thread_id, 'RAS' AS source,
    CAST(NULL AS BIGINT) AS component_id, CAST(NULL AS BIGINT) AS edge_id, CAST(NULL AS BIGINT) AS interface_index, NULLIF(rras_user_name, '') AS place, 'received', '', hex(array_slice(fragment, 1, 160)), CAST(COALESCE(octet_length(fragment), 0) AS BIGINT), NULL, false, CAST(NULL AS STRING) AS drop_reason, CAST(NULL AS STRING) AS drop_location, NULL AS packet_group, CAST(NULL AS BIGINT) AS packet_number, CAST(NULL AS BIGINT) AS appearance
    FROM microsoft_windows_ras_ndiswanpacketcapture_5002
),
-- at is the place of the IP header among the digits, from 1.
linked AS (
  SELECT *, CASE WHEN link <> '' OR link IS NULL THEN link
      WHEN substr(h, 1, 1) = '4' AND CASE WHEN length(h) >= 5 + 4 - 1 THEN CAST('0x' || substr(h, 5, 4) AS BIGINT) END = greatest(captured, COALESCE(original, 0)) AND length(h) >= 40 THEN 'IP'
      WHEN substr(h, 1, 1) = '6' AND CASE WHEN length(h) >= 9 + 4 - 1 THEN CAST('0x' || substr(h, 9, 4) AS BIGINT) END + 40 = greatest(captured, COALESCE(original, 0)) AND length(h) >= 80 THEN 'IP'
      WHEN CASE WHEN length(h) >= 25 + 4 - 1 THEN CAST('0x' || substr(h, 25, 4) AS BIGINT) END >= 1536 OR CASE WHEN length(h) >= 25 + 4 - 1 THEN CAST('0x' || substr(h, 25, 4) AS BIGINT) END + 14 <= greatest(captured, COALESCE(original, 0)) THEN 'Ethernet' END AS link_type
  FROM captured
),
framed AS (
  SELECT *, CASE WHEN link_type = 'IP' THEN CASE substr(h, 1, 1) WHEN '4' THEN 2048 WHEN '6' THEN 34525 END
      WHEN link_type = 'Ethernet' THEN CASE WHEN type1 NOT IN (33024, 34984) THEN type1 WHEN type2 NOT IN (33024, 34984) THEN type2 ELSE type3 END END AS type,
    CASE WHEN link_type = 'IP' THEN 1 WHEN link_type = 'Ethernet' THEN CASE WHEN type1 NOT IN (33024, 34984) THEN 29 WHEN type2 NOT IN (33024, 34984) THEN 37 ELSE 45 END END AS ip_at
  FROM (SELECT *, CASE WHEN length(h) >= 25 + 4 - 1 THEN CAST('0x' || substr(h, 25, 4) AS BIGINT) END AS type1, CASE WHEN length(h) >= 33 + 4 - 1 THEN CAST('0x' || substr(h, 33, 4) AS BIGINT) END AS type2, CASE WHEN length(h) >= 41 + 4 - 1 THEN CAST('0x' || substr(h, 41, 4) AS BIGINT) END AS type3 FROM linked) AS typed
),
addressed AS (
  SELECT *,
    CASE WHEN version = 4 THEN CASE WHEN length(h) >= ip_at + 18 + 2 - 1 THEN CAST('0x' || substr(h, ip_at + 18, 2) AS BIGINT) END WHEN version = 6 THEN CASE WHEN length(h) >= ip_at + 12 + 2 - 1 THEN CAST('0x' || substr(h, ip_at + 12, 2) AS BIGINT) END END AS next0,
    CAST(CASE WHEN version = 4 AND CASE WHEN length(h) >= ip_at + 12 + 4 - 1 THEN CAST('0x' || substr(h, ip_at + 12, 4) AS BIGINT) END % 8192 = 0 THEN ip_at + 8 * CASE WHEN length(h) >= ip_at + 1 + 1 - 1 THEN CAST('0x' || substr(h, ip_at + 1, 1) AS BIGINT) END WHEN version = 6 THEN ip_at + 80 END AS BIGINT) AS at0,
    CASE WHEN version = 4 THEN CASE WHEN length(h) >= ip_at + 4 + 4 - 1 THEN CAST('0x' || substr(h, ip_at + 4, 4) AS BIGINT) END WHEN version = 6 AND CASE WHEN length(h) >= ip_at + 8 + 4 - 1 THEN CAST('0x' || substr(h, ip_at + 8, 4) AS BIGINT) END > 0 THEN CASE WHEN length(h) >= ip_at + 8 + 4 - 1 THEN CAST('0x' || substr(h, ip_at + 8, 4) AS BIGINT) END + 40 END AS ip_length,
    CASE WHEN version = 4 THEN substr(h, ip_at + 24, 8) WHEN version = 6 THEN substr(h, ip_at + 16, 32) WHEN is_arp THEN substr(h, ip_at + 28, 8) END AS source_digits,
    CASE WHEN version = 4 THEN substr(h, ip_at + 32, 8) WHEN version = 6 THEN substr(h, ip_at + 48, 32) WHEN is_arp THEN substr(h, ip_at + 48, 8) END AS destination_digits
  FROM (
    SELECT *, CASE WHEN type = 2048 AND substr(h, ip_at, 1) = '4' AND substr(h, ip_at + 1, 1) >= '5' AND length(h) >= ip_at + 39 THEN 4
        WHEN type = 34525 AND substr(h, ip_at, 1) = '6' AND length(h) >= ip_at + 79 THEN 6 END AS version,
      type = 2054 AND substr(h, ip_at + 4, 8) = '08000604' AND length(h) >= ip_at + 55 AS is_arp
    FROM framed
  ) AS versioned
),
-- Between the header of IPv6 and the protocol's are up to four others, seldom any.
headed1 AS (SELECT *, CASE WHEN version = 6 AND next0 IN (0, 43, 44, 60, 135) THEN CASE WHEN length(h) >= at0 + 2 - 1 THEN CAST('0x' || substr(h, at0, 2) AS BIGINT) END ELSE next0 END AS next1, CAST(CASE WHEN version = 6 AND next0 IN (0, 43, 60, 135) THEN at0 + 16 * (CASE WHEN length(h) >= at0 + 2 + 2 - 1 THEN CAST('0x' || substr(h, at0 + 2, 2) AS BIGINT) END + 1)
      WHEN version = 6 AND next0 = 44 THEN CASE WHEN CASE WHEN length(h) >= at0 + 4 + 4 - 1 THEN CAST('0x' || substr(h, at0 + 4, 4) AS BIGINT) END < 8 THEN at0 + 16 END ELSE at0 END AS BIGINT) AS at1 FROM addressed),
headed2 AS (SELECT *, CASE WHEN version = 6 AND next1 IN (0, 43, 44, 60, 135) THEN CASE WHEN length(h) >= at1 + 2 - 1 THEN CAST('0x' || substr(h, at1, 2) AS BIGINT) END ELSE next1 END AS next2, CAST(CASE WHEN version = 6 AND next1 IN (0, 43, 60, 135) THEN at1 + 16 * (CASE WHEN length(h) >= at1 + 2 + 2 - 1 THEN CAST('0x' || substr(h, at1 + 2, 2) AS BIGINT) END + 1)
      WHEN version = 6 AND next1 = 44 THEN CASE WHEN CASE WHEN length(h) >= at1 + 4 + 4 - 1 THEN CAST('0x' || substr(h, at1 + 4, 4) AS BIGINT) END < 8 THEN at1 + 16 END ELSE at1 END AS BIGINT) AS at2 FROM headed1),
headed3 AS (SELECT *, CASE WHEN version = 6 AND next2 IN (0, 43, 44, 60, 135) THEN CASE WHEN length(h) >= at2 + 2 - 1 THEN CAST('0x' || substr(h, at2, 2) AS BIGINT) END ELSE next2 END AS next3, CAST(CASE WHEN version = 6 AND next2 IN (0, 43, 60, 135) THEN at2 + 16 * (CASE WHEN length(h) >= at2 + 2 + 2 - 1 THEN CAST('0x' || substr(h, at2 + 2, 2) AS BIGINT) END + 1)
      WHEN version = 6 AND next2 = 44 THEN CASE WHEN CASE WHEN length(h) >= at2 + 4 + 4 - 1 THEN CAST('0x' || substr(h, at2 + 4, 4) AS BIGINT) END < 8 THEN at2 + 16 END ELSE at2 END AS BIGINT) AS at3 FROM headed2),
headed AS (
  SELECT *, CASE WHEN version = 6 AND next3 IN (0, 43, 44, 60, 135) THEN CASE WHEN length(h) >= at3 + 2 - 1 THEN CAST('0x' || substr(h, at3, 2) AS BIGINT) END ELSE next3 END AS ip_protocol, CAST(CASE WHEN version = 6 AND next3 IN (0, 43, 60, 135) THEN at3 + 16 * (CASE WHEN length(h) >= at3 + 2 + 2 - 1 THEN CAST('0x' || substr(h, at3 + 2, 2) AS BIGINT) END + 1)
      WHEN version = 6 AND next3 = 44 THEN CASE WHEN CASE WHEN length(h) >= at3 + 4 + 4 - 1 THEN CAST('0x' || substr(h, at3 + 4, 4) AS BIGINT) END < 8 THEN at3 + 16 END ELSE at3 END AS BIGINT) AS data_at, CASE WHEN length(source_digits) = 32 THEN concat(':',
    regexp_replace(lower(substr(source_digits, 1, 4)), '^0{1,3}', ''), ':', regexp_replace(lower(substr(source_digits, 5, 4)), '^0{1,3}', ''), ':',
    regexp_replace(lower(substr(source_digits, 9, 4)), '^0{1,3}', ''), ':', regexp_replace(lower(substr(source_digits, 13, 4)), '^0{1,3}', ''), ':',
    regexp_replace(lower(substr(source_digits, 17, 4)), '^0{1,3}', ''), ':', regexp_replace(lower(substr(source_digits, 21, 4)), '^0{1,3}', ''), ':',
    regexp_replace(lower(substr(source_digits, 25, 4)), '^0{1,3}', ''), ':', regexp_replace(lower(substr(source_digits, 29, 4)), '^0{1,3}', ''), ':') END AS source_groups, CASE WHEN length(destination_digits) = 32 THEN concat(':',
    regexp_replace(lower(substr(destination_digits, 1, 4)), '^0{1,3}', ''), ':', regexp_replace(lower(substr(destination_digits, 5, 4)), '^0{1,3}', ''), ':',
    regexp_replace(lower(substr(destination_digits, 9, 4)), '^0{1,3}', ''), ':', regexp_replace(lower(substr(destination_digits, 13, 4)), '^0{1,3}', ''), ':',
    regexp_replace(lower(substr(destination_digits, 17, 4)), '^0{1,3}', ''), ':', regexp_replace(lower(substr(destination_digits, 21, 4)), '^0{1,3}', ''), ':',
    regexp_replace(lower(substr(destination_digits, 25, 4)), '^0{1,3}', ''), ':', regexp_replace(lower(substr(destination_digits, 29, 4)), '^0{1,3}', ''), ':') END AS destination_groups
  FROM headed3
),
parsed AS (
  SELECT *, CASE WHEN instr(source_groups, ':0:0:0:0:0:0:0:0:') > 0 THEN 8 WHEN instr(source_groups, ':0:0:0:0:0:0:0:') > 0 THEN 7 WHEN instr(source_groups, ':0:0:0:0:0:0:') > 0 THEN 6
    WHEN instr(source_groups, ':0:0:0:0:0:') > 0 THEN 5 WHEN instr(source_groups, ':0:0:0:0:') > 0 THEN 4 WHEN instr(source_groups, ':0:0:0:') > 0 THEN 3 WHEN instr(source_groups, ':0:0:') > 0 THEN 2 END AS source_zeros, CASE WHEN instr(destination_groups, ':0:0:0:0:0:0:0:0:') > 0 THEN 8 WHEN instr(destination_groups, ':0:0:0:0:0:0:0:') > 0 THEN 7 WHEN instr(destination_groups, ':0:0:0:0:0:0:') > 0 THEN 6
    WHEN instr(destination_groups, ':0:0:0:0:0:') > 0 THEN 5 WHEN instr(destination_groups, ':0:0:0:0:') > 0 THEN 4 WHEN instr(destination_groups, ':0:0:0:') > 0 THEN 3 WHEN instr(destination_groups, ':0:0:') > 0 THEN 2 END AS destination_zeros,
    CASE WHEN ip_protocol = 6 THEN CASE WHEN length(h) >= data_at + 26 + 2 - 1 THEN CAST('0x' || substr(h, data_at + 26, 2) AS BIGINT) END END AS flags
  FROM headed
),
components AS (
  SELECT trace, id, max(NULLIF(name, 'NULL')) AS name, max(description) AS description
  FROM (SELECT trace, id, name, description FROM microsoft_windows_pktmon_20 UNION ALL SELECT trace, id, name, description FROM microsoft_windows_pktmon_270) AS both_kinds
  GROUP BY trace, id
),
edges AS (SELECT trace, component_id, edge_id, max(edge_name) AS edge FROM microsoft_windows_pktmon_90 GROUP BY trace, component_id, edge_id),
properties AS (
  SELECT trace, component_id, COALESCE(max(CASE WHEN type = 2 THEN value END), max(CASE WHEN type = 1 THEN value END)) AS interface_index
  FROM microsoft_windows_pktmon_30
  GROUP BY trace, component_id
),
adapters AS (SELECT trace, interface_index, max(alias) AS alias FROM sysconfig_netinterface GROUP BY trace, interface_index)
SELECT p.trace, p.event_ref, p.timestamp, p.time_ns, p.clock_ns, p.seconds, p.processor, p.source,
  CASE WHEN p.source = 'PktMon' THEN i.interface_index ELSE p.interface_index END AS interface_index, COALESCE(p.place, a.alias) AS interface_name,
  p.component_id, COALESCE(c.name, c.description) AS component_name, e.edge, p.direction, p.link_type,
  CASE WHEN link_type = 'Ethernet' AND length(h) >= 24 THEN lower(concat_ws(':', substr(h, 12 + 1, 2), substr(h, 12 + 3, 2), substr(h, 12 + 5, 2), substr(h, 12 + 7, 2), substr(h, 12 + 9, 2), substr(h, 12 + 11, 2))) END AS source_mac, CASE WHEN link_type = 'Ethernet' AND length(h) >= 24 THEN lower(concat_ws(':', substr(h, 0 + 1, 2), substr(h, 0 + 3, 2), substr(h, 0 + 5, 2), substr(h, 0 + 7, 2), substr(h, 0 + 9, 2), substr(h, 0 + 11, 2))) END AS destination_mac,
  CASE WHEN p.link_type = 'Ethernet' AND p.type1 IN (33024, 34984) THEN CASE WHEN length(h) >= 29 + 4 - 1 THEN CAST('0x' || substr(h, 29, 4) AS BIGINT) END % 4096 END AS vlan_id,
  CASE WHEN p.type >= 1536 THEN CAST(p.type AS BIGINT) END AS ether_type,
  CASE WHEN p.source_digits IS NOT NULL THEN CASE WHEN length(source_digits) = 8 THEN concat_ws('.', CAST(CASE WHEN length(source_digits) >= 1 + 2 - 1 THEN CAST('0x' || substr(source_digits, 1, 2) AS BIGINT) END AS STRING), CAST(CASE WHEN length(source_digits) >= 3 + 2 - 1 THEN CAST('0x' || substr(source_digits, 3, 2) AS BIGINT) END AS STRING), CAST(CASE WHEN length(source_digits) >= 5 + 2 - 1 THEN CAST('0x' || substr(source_digits, 5, 2) AS BIGINT) END AS STRING), CAST(CASE WHEN length(source_digits) >= 7 + 2 - 1 THEN CAST('0x' || substr(source_digits, 7, 2) AS BIGINT) END AS STRING))
    WHEN substr(source_digits, 1, 24) = '00000000000000000000FFFF' THEN concat('::ffff:', concat_ws('.', CAST(CASE WHEN length(substr(source_digits, 25, 8)) >= 1 + 2 - 1 THEN CAST('0x' || substr(substr(source_digits, 25, 8), 1, 2) AS BIGINT) END AS STRING), CAST(CASE WHEN length(substr(source_digits, 25, 8)) >= 3 + 2 - 1 THEN CAST('0x' || substr(substr(source_digits, 25, 8), 3, 2) AS BIGINT) END AS STRING), CAST(CASE WHEN length(substr(source_digits, 25, 8)) >= 5 + 2 - 1 THEN CAST('0x' || substr(substr(source_digits, 25, 8), 5, 2) AS BIGINT) END AS STRING), CAST(CASE WHEN length(substr(source_digits, 25, 8)) >= 7 + 2 - 1 THEN CAST('0x' || substr(substr(source_digits, 25, 8), 7, 2) AS BIGINT) END AS STRING)))
    WHEN source_zeros IS NULL THEN substr(source_groups, 2, length(source_groups) - 2)
    ELSE concat(substr(source_groups, 2, greatest(instr(source_groups, concat(repeat(':0', source_zeros), ':')) - 2, 0)), '::',
      substr(source_groups, instr(source_groups, concat(repeat(':0', source_zeros), ':')) + 2 * source_zeros + 1,
        greatest(length(source_groups) - instr(source_groups, concat(repeat(':0', source_zeros), ':')) - 2 * source_zeros - 1, 0)))
  END END AS source_address,
  CASE WHEN p.destination_digits IS NOT NULL THEN CASE WHEN length(destination_digits) = 8 THEN concat_ws('.', CAST(CASE WHEN length(destination_digits) >= 1 + 2 - 1 THEN CAST('0x' || substr(destination_digits, 1, 2) AS BIGINT) END AS STRING), CAST(CASE WHEN length(destination_digits) >= 3 + 2 - 1 THEN CAST('0x' || substr(destination_digits, 3, 2) AS BIGINT) END AS STRING), CAST(CASE WHEN length(destination_digits) >= 5 + 2 - 1 THEN CAST('0x' || substr(destination_digits, 5, 2) AS BIGINT) END AS STRING), CAST(CASE WHEN length(destination_digits) >= 7 + 2 - 1 THEN CAST('0x' || substr(destination_digits, 7, 2) AS BIGINT) END AS STRING))
    WHEN substr(destination_digits, 1, 24) = '00000000000000000000FFFF' THEN concat('::ffff:', concat_ws('.', CAST(CASE WHEN length(substr(destination_digits, 25, 8)) >= 1 + 2 - 1 THEN CAST('0x' || substr(substr(destination_digits, 25, 8), 1, 2) AS BIGINT) END AS STRING), CAST(CASE WHEN length(substr(destination_digits, 25, 8)) >= 3 + 2 - 1 THEN CAST('0x' || substr(substr(destination_digits, 25, 8), 3, 2) AS BIGINT) END AS STRING), CAST(CASE WHEN length(substr(destination_digits, 25, 8)) >= 5 + 2 - 1 THEN CAST('0x' || substr(substr(destination_digits, 25, 8), 5, 2) AS BIGINT) END AS STRING), CAST(CASE WHEN length(substr(destination_digits, 25, 8)) >= 7 + 2 - 1 THEN CAST('0x' || substr(substr(destination_digits, 25, 8), 7, 2) AS BIGINT) END AS STRING)))
    WHEN destination_zeros IS NULL THEN substr(destination_groups, 2, length(destination_groups) - 2)
    ELSE concat(substr(destination_groups, 2, greatest(instr(destination_groups, concat(repeat(':0', destination_zeros), ':')) - 2, 0)), '::',
      substr(destination_groups, instr(destination_groups, concat(repeat(':0', destination_zeros), ':')) + 2 * destination_zeros + 1,
        greatest(length(destination_groups) - instr(destination_groups, concat(repeat(':0', destination_zeros), ':')) - 2 * destination_zeros - 1, 0)))
  END END AS destination_address,
  p.ip_protocol,
  CASE WHEN p.type = 2054 THEN 'ARP' ELSE CASE p.ip_protocol WHEN 1 THEN 'ICMP' WHEN 2 THEN 'IGMP' WHEN 6 THEN 'TCP' WHEN 17 THEN 'UDP' WHEN 41 THEN 'IPv6' WHEN 47 THEN 'GRE'
    WHEN 50 THEN 'ESP' WHEN 51 THEN 'AH' WHEN 58 THEN 'ICMPv6' WHEN 89 THEN 'OSPF' WHEN 103 THEN 'PIM' WHEN 112 THEN 'VRRP' WHEN 132 THEN 'SCTP' END END AS protocol,
  CASE WHEN p.ip_protocol IN (6, 17, 132) THEN CASE WHEN length(h) >= data_at + 4 - 1 THEN CAST('0x' || substr(h, data_at, 4) AS BIGINT) END END AS source_port,
  CASE WHEN p.ip_protocol IN (6, 17, 132) THEN CASE WHEN length(h) >= data_at + 4 + 4 - 1 THEN CAST('0x' || substr(h, data_at + 4, 4) AS BIGINT) END END AS destination_port,
  CASE WHEN p.flags IS NOT NULL THEN concat_ws('|', CASE WHEN (p.flags & 1) <> 0 THEN 'FIN' END, CASE WHEN (p.flags & 2) <> 0 THEN 'SYN' END, CASE WHEN (p.flags & 4) <> 0 THEN 'RST' END,
    CASE WHEN (p.flags & 8) <> 0 THEN 'PSH' END, CASE WHEN (p.flags & 16) <> 0 THEN 'ACK' END, CASE WHEN (p.flags & 32) <> 0 THEN 'URG' END,
    CASE WHEN (p.flags & 64) <> 0 THEN 'ECE' END, CASE WHEN (p.flags & 128) <> 0 THEN 'CWR' END) END AS tcp_flags,
  CASE WHEN p.ip_protocol IN (1, 58) THEN CASE WHEN length(h) >= data_at + 2 - 1 THEN CAST('0x' || substr(h, data_at, 2) AS BIGINT) END END AS icmp_type,
  CASE WHEN p.ip_protocol IN (1, 58) THEN CASE WHEN length(h) >= data_at + 2 + 2 - 1 THEN CAST('0x' || substr(h, data_at + 2, 2) AS BIGINT) END END AS icmp_code,
  CASE WHEN p.original IS NOT NULL THEN greatest(p.original, p.captured) WHEN NOT p.is_cut THEN p.captured
    WHEN p.ip_length IS NOT NULL THEN greatest(p.captured, p.ip_length + CAST((p.ip_at - 1) / 2 AS BIGINT)) END AS wire_length,
  p.captured AS captured_length, p.process_id, p.process_name, p.thread_id, p.drop_reason, p.drop_location, p.packet_group, p.packet_number, p.appearance
FROM parsed AS p
LEFT JOIN components AS c ON p.source = 'PktMon' AND c.trace = p.trace AND c.id = p.component_id
LEFT JOIN edges AS e ON p.source = 'PktMon' AND e.trace = p.trace AND e.component_id = p.component_id AND e.edge_id = p.edge_id
LEFT JOIN properties AS i ON p.source = 'PktMon' AND i.trace = p.trace AND i.component_id = p.component_id
LEFT JOIN adapters AS a ON a.trace = p.trace AND a.interface_index = CASE WHEN p.source = 'PktMon' THEN i.interface_index ELSE p.interface_index END
