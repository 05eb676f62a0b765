package db

// fileSystems are file systems by their magic numbers, from statfs(2) and
// linux/magic.h; those that neither has are from the sources of the file system.
var fileSystems = map[uint32]FileSystem{
	0x00000187: {"autofs", true},
	0x0000517b: {"smb", true},
	0x0000564c: {"ncp", true},
	0x00006969: {"nfs", true},
	0x0000ef53: {"ext4", false},
	0x00c36400: {"ceph", true},
	0x01021994: {"tmpfs", false},
	0x01021997: {"9p", true},
	0x01161970: {"gfs2", true},
	0x0bd00bd0: {"lustre", true},
	0x2fc12fc1: {"zfs", false},
	0x47504653: {"gpfs", true},
	0x5346414f: {"afs", true},
	0x58465342: {"xfs", false},
	0x65735546: {"fuse", true}, // sshfs and its kind, virtiofs; a local one is only slower for it
	0x6b414653: {"afs", true},
	0x73757245: {"coda", true},
	0x7461636f: {"ocfs2", true},
	0x786f4256: {"vboxsf", true},
	0x794c7630: {"overlayfs", false},
	0x9123683e: {"btrfs", false},
	0xaad7aaea: {"panfs", true},
	0xbacbacbc: {"vmhgfs", true},
	0xf2f52010: {"f2fs", false},
	0xfe534d42: {"smb2", true},
	0xff534d42: {"cifs", true},
}
