# A one-node Ceph with its S3 server on port 7070, with the root credentials and the bucket of versitygw.
set -eu
dir=/run/s3
mkdir -p "$dir/mon" "$dir/osd" "$dir/rgw"
conf="$dir/ceph.conf"
fsid=$(cat /proc/sys/kernel/random/uuid)
disk=$(cat /proc/sys/kernel/random/uuid)
cat > "$conf" <<END
[global]
fsid = $fsid
mon host = [v2:127.0.0.1:3300,v1:127.0.0.1:6789]
auth cluster required = cephx
auth service required = cephx
auth client required = cephx
osd pool default size = 1
osd pool default min size = 1
osd pool default pg num = 1
osd pool default pgp num = 1
osd pool default pg autoscale mode = off
osd crush chooseleaf type = 0
mon allow pool size one = true
mon max pg per osd = 500
mon data = $dir/mon
mon data avail crit = 1
osd data = $dir/osd
osd objectstore = memstore
memstore device bytes = 4294967296
run dir = $dir
admin socket = $dir/\$name.asok
pid file =
log file = $dir/\$name.log
rgw frontends = beast port=7070
rgw data = $dir/rgw
rgw enable usage log = false
rgw thread pool size = 32
keyring = $dir/keyring
END
ceph-authtool --create-keyring "$dir/keyring" --gen-key -n mon. --cap mon 'allow *' > /dev/null
ceph-authtool "$dir/keyring" --gen-key -n client.admin --cap mon 'allow *' --cap osd 'allow *' --cap mgr 'allow *' \
  --cap mds 'allow *' > /dev/null
ceph-authtool "$dir/keyring" --gen-key -n osd.0 --cap mon 'allow profile osd' --cap osd 'allow *' > /dev/null
monmaptool --create --addv a '[v2:127.0.0.1:3300,v1:127.0.0.1:6789]' --fsid "$fsid" "$dir/monmap" > /dev/null
ceph-mon -c "$conf" --mkfs -i a --monmap "$dir/monmap" --keyring "$dir/keyring"
ceph-mon -c "$conf" -i a -f > "$dir/mon.out" 2>&1 &
ceph -c "$conf" osd new "$disk" > /dev/null
ceph-osd -c "$conf" -i 0 --mkfs --osd-uuid "$disk" > /dev/null 2>&1
ceph-osd -c "$conf" -i 0 -f > "$dir/osd.out" 2>&1 &
radosgw-admin -c "$conf" user create --uid root --display-name root --access-key "$ROOT_ACCESS_KEY" \
  --secret-key "$ROOT_SECRET_KEY" > /dev/null
exec radosgw -c "$conf" -n client.admin -f
