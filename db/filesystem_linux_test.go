package db

import "testing"

func TestFileSystemsThatMachinesShare(t *testing.T) {
	for magic, want := range map[uint32]FileSystem{
		0x6969: {"nfs", true}, 0xff534d42: {"cifs", true}, 0x65735546: {"fuse", true}, 0xef53: {"ext4", false},
		0x01021994: {"tmpfs", false}, 0x12345678: {"file system 0x12345678", false},
	} {
		if have := fileSystem(magic); have != want {
			t.Errorf("0x%x: have %v, want %v", magic, have, want)
		}
	}
	if have := FileSystemOf(t.TempDir()); have.Name == "" {
		t.Error("the directory for tests is on none")
	}
}
